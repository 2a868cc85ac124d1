package dev.runyard.system.matrix;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.agent.AgentCli;
import dev.runyard.core.agent.AgentKind;
import dev.runyard.core.agent.Capabilities;
import dev.runyard.core.agent.ExtensionDefinition;
import dev.runyard.core.agent.StandardExtensions;
import dev.runyard.runner.backend.AgentBackend;
import dev.runyard.runner.backend.AgentGateway;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/// A kind of agent in the matrix, with the settings that differ between kinds.
///
/// @param api the scripted model's address for its API
/// @param model in the agents file
/// @param everyRun whether each build tests it
/// @param absolutePaths whether its tools take only absolute paths
/// @param plan the directive that makes its model state a plan; empty if it has no tool for plans
/// @param permitted members of `extensions` with which its tools may do anything
/// @param restricted the same, with which it may run no command that changes something
/// @param asking the same, with which it asks before it does; empty if it cannot ask
record Subject(
    String kind,
    Api api,
    String model,
    boolean everyRun,
    boolean absolutePaths,
    String plan,
    String permitted,
    String restricted,
    String asking) {

  enum Api {
    BASE,
    ORIGIN
  }

  private static final String MODEL = "scripted-model";

  /// All of them, in the order of the page: first those that each build tests.
  static List<Subject> all() {
    return AgentCli.all().stream()
        .flatMap(cli -> cli.agents().stream().map(agent -> of(agent, cli.trial())))
        .sorted(Comparator.comparing(subject -> !subject.everyRun()))
        .toList();
  }

  /// Whether Runyard keeps what its agent needs to go on in a session elsewhere.
  boolean keepsSessions() {
    AgentBackend backend = AgentGateway.onClassPath().backend(new AgentKind(kind)).orElseThrow();
    return !backend.sessionState().isEmpty();
  }

  /// What the operator must allow for the trials.
  List<String> grants() {
    return AgentCatalog.grants(AgentCatalog.builtIn().find(kind).orElseThrow()).stream()
        .filter(grant -> !grant.equals(Capabilities.ADD_DIRS))
        .toList();
  }

  /// @param trial the part for tests of its CLI's manifest
  private static Subject of(AgentCli.Agent agent, JsonNode trial) {
    String approval = StandardExtensions.approvalKey(agent.kind());
    boolean approves = offers(agent, approval);
    return new Subject(
        agent.kind().name(),
        trial.path("endpoint").asText().equals("origin") ? Api.ORIGIN : Api.BASE,
        trial.path("model").asText(MODEL),
        trial.path("every_build").asBoolean(),
        trial.path("absolute_paths").asBoolean(),
        plan(trial.path("plan")),
        members(
            approves
                ? object().put(approval, "all")
                : object().put(Capabilities.EXTERNAL_SANDBOX, true)),
        members(approves ? object().put(approval, "none") : trial.path("restricted")),
        offers(agent, Capabilities.NON_INTERACTIVE)
            ? members(with(object().put(Capabilities.NON_INTERACTIVE, false), trial.path("asking")))
            : "");
  }

  private static boolean offers(AgentCli.Agent agent, String key) {
    return agent.manifest().extensions().stream()
        .map(ExtensionDefinition::key)
        .anyMatch(key::equals);
  }

  private static String plan(JsonNode plan) {
    return plan.isMissingNode()
        ? ""
        : "[[call %s %s]]".formatted(plan.path("tool").asText(), plan.path("input"));
  }

  private static ObjectNode with(ObjectNode object, JsonNode more) {
    for (Map.Entry<String, JsonNode> member : more.properties()) {
      object.set(member.getKey(), member.getValue());
    }
    return object;
  }

  /// The members of an object, without its braces.
  private static String members(JsonNode object) {
    String text = object.isObject() ? object.toString() : "{}";
    return text.substring(1, text.length() - 1);
  }

  private static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }
}
