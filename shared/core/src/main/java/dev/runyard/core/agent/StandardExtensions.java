package dev.runyard.core.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// The extensions that mean the same to every agent that understands them, and the contradictions
/// between them.
public final class StandardExtensions {
  public static final int MODEL_BYTES_MAX = 128;

  /// The warning of a run without an agent's own sandbox, before any other event.
  public static final String EXTERNAL_SANDBOX_WARNING =
      "DANGEROUS: external sandbox exec policy enabled (agent_api.exec.external_sandbox.v1=true)";

  /// What an agent of a non-interactive run may do unless the request says otherwise.
  public static final String APPROVAL_DEFAULT = "edits";

  private static final String APPROVAL = ".exec.approval";
  private static final List<String> APPROVALS = List.of("none", APPROVAL_DEFAULT);
  private static final List<String> APPROVALS_GRANTED = List.of("all");
  private static final JsonNode TRUE = JsonNodeFactory.instance.booleanNode(true);
  private static final JsonNode FALSE = JsonNodeFactory.instance.booleanNode(false);
  private static final JsonNode NOTHING = MissingNode.getInstance();

  private StandardExtensions() {}

  public static ExtensionDefinition model() {
    return new ExtensionDefinition(
        Capabilities.MODEL,
        new ExtensionType.Text(MODEL_BYTES_MAX),
        null,
        "The model to use. The default is the agent's own.");
  }

  public static ExtensionDefinition nonInteractive() {
    return new ExtensionDefinition(
        Capabilities.NON_INTERACTIVE,
        new ExtensionType.Flag(),
        TRUE,
        "Whether the agent works without asking anyone.");
  }

  public static ExtensionDefinition externalSandbox() {
    return new ExtensionDefinition(
        Capabilities.EXTERNAL_SANDBOX,
        new ExtensionType.Flag(),
        FALSE,
        "Dangerous: whether the agent works without its own sandbox because the runner is one.");
  }

  public static ExtensionDefinition addDirs() {
    return new ExtensionDefinition(
        Capabilities.ADD_DIRS,
        new DirsExtension(),
        null,
        "Directories of the runner the agent may also work in. Relative ones start at the working"
            + " directory.");
  }

  public static ExtensionDefinition sessionResume() {
    return new ExtensionDefinition(
        Capabilities.SESSION_RESUME,
        new SessionExtension(),
        null,
        "The conversation to continue: the last one, or the one with this id.");
  }

  public static ExtensionDefinition sessionFork() {
    return new ExtensionDefinition(
        Capabilities.SESSION_FORK,
        new SessionExtension(),
        null,
        "The conversation to start from a copy of: the last one, or the one with this id.");
  }

  /// What a run's agent reaches over the network.
  ///
  /// @param most what the operator allows, and a request gets that says nothing
  static ExtensionDefinition network(NetworkAccess most) {
    return new ExtensionDefinition(
        Capabilities.NETWORK,
        new NetworkExtension(most),
        null,
        "What the agent may reach over the network: open, none, or a list of hosts. The default is"
            + " all that the operator allows.");
  }

  /// What an agent of this kind, which has no sandbox of its own, may do in a non-interactive run.
  public static ExtensionDefinition approval(AgentKind kind) {
    return new ExtensionDefinition(
        approvalKey(kind),
        new ExtensionType.Choice(APPROVALS, APPROVALS_GRANTED),
        JsonNodeFactory.instance.textNode(APPROVAL_DEFAULT),
        "What the agent may do without asking: with none it changes nothing, with edits it changes"
            + " files and runs no commands, with all it may do whatever its tools can.");
  }

  public static String approvalKey(AgentKind kind) {
    return "backend." + kind.name() + APPROVAL;
  }

  /// The one with this key, for an agent of this kind.
  static ExtensionDefinition of(AgentKind kind, String key) {
    return Stream.of(
            model(),
            nonInteractive(),
            externalSandbox(),
            addDirs(),
            sessionResume(),
            sessionFork(),
            approval(kind))
        .filter(extension -> extension.key().equals(key))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no standard extension: " + key));
  }

  /// The contradictions among these extensions, whichever agent offers them.
  static List<ExtensionRule> rules(List<ExtensionDefinition> extensions) {
    List<String> keys = extensions.stream().map(ExtensionDefinition::key).toList();
    List<ExtensionRule> rules = new ArrayList<>();
    if (keys.contains(Capabilities.NON_INTERACTIVE)) {
      keys.stream()
          .filter(key -> key.endsWith(APPROVAL))
          .map(key -> new ExtensionRule(key, NOTHING, Capabilities.NON_INTERACTIVE, FALSE))
          .forEach(rules::add);
    }
    if (keys.contains(Capabilities.EXTERNAL_SANDBOX)) {
      if (keys.contains(Capabilities.NON_INTERACTIVE)) {
        rules.add(
            new ExtensionRule(
                Capabilities.NON_INTERACTIVE, TRUE, Capabilities.EXTERNAL_SANDBOX, TRUE));
      }
      keys.stream()
          .filter(Capabilities::isOwnExec)
          .map(key -> new ExtensionRule(key, NOTHING, Capabilities.EXTERNAL_SANDBOX, TRUE))
          .forEach(rules::add);
    }
    if (keys.contains(Capabilities.SESSION_RESUME) && keys.contains(Capabilities.SESSION_FORK)) {
      rules.add(
          new ExtensionRule(
              Capabilities.SESSION_FORK, NOTHING, Capabilities.SESSION_RESUME, NOTHING));
    }
    return rules;
  }
}
