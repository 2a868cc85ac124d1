package dev.runyard.gates.template;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.gates.Breach;
import dev.runyard.gates.Gate;
import dev.runyard.gates.Reads;
import dev.runyard.gates.Repository;
import dev.runyard.local.rights.Rights;
import dev.runyard.local.template.Blueprint;
import dev.runyard.local.template.QueueDeclaration;
import dev.runyard.local.template.Template;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Each parameter may be set, as `up --set` does: the local stack reads the template with a value
/// other than its default, which then is in every variable that refers to the parameter. One on
/// which others depend is also set alone.
@Reads(SamTemplate.FILE)
final class ParameterValuesTest {
  /// Texts of which each pattern of the template allows one.
  private static final List<String> TEXTS = List.of("other", "https://app.example.com");

  @Gate
  @Breach(
      replace = "!If [OwnNetwork, !Sub \"${SubnetA},${SubnetB}\", !Join [\",\", !Ref SubnetIds]]",
      by = "!If [OwnNetwork, !Join [\",\", !Ref SubnetIds], !Sub \"${SubnetA},${SubnetB}\"]",
      named = "SubnetIds cannot be set")
  @Breach(
      replace = "!If [OwnNetwork, !Sub \"${SubnetA},${SubnetB}\", !Join [\",\", !Ref SubnetIds]]",
      by = "!If [OwnNetwork, !Sub \"${SubnetA},${SubnetB}\", !Select [0, !Ref SubnetIds]]",
      named = "AdvanceFunction RUNYARD_SUBNETS of SubnetIds")
  @Breach(
      replace = "Resource: !Ref HookSecretArns",
      by = "Resource: !GetAtt HookSecrets.Arn",
      named = "HookSecretArns cannot be set")
  void eachCanBeSet(Repository repository) {
    var template = SamTemplate.of(repository);
    var values = new HashMap<String, String>();
    for (var one : template.root().path("Parameters").properties()) {
      values.put(one.getKey(), other(one.getKey(), one.getValue()));
    }
    for (var name : template.parameters(template.root().path("Conditions"))) {
      var alone = Map.of(name, values.getOrDefault(name, ""));
      assertDoesNotThrow(() -> read(repository, alone), name + " cannot be set");
    }
    var told = assertDoesNotThrow(() -> read(repository, values));
    var found = new TreeSet<String>();
    declared(template)
        .forEach(
            (variable, value) -> {
              for (var name : SamTemplate.references(value)) {
                if (values.containsKey(name) && !values.get(name).equals(told.get(variable))) {
                  found.add(variable + " of " + name + " is " + told.get(variable));
                }
              }
            });
    assertEquals(Set.of(), found);
  }

  /// A value that the template allows and that is not the default.
  private static String other(String name, JsonNode declared) {
    var allowed = SamTemplate.texts(declared.path("AllowedValues")).stream();
    var pattern = declared.path("AllowedPattern");
    var values =
        declared.has("AllowedValues")
            ? allowed
            : switch (declared.path("Type").asText()) {
              case "Number" ->
                  Stream.of(declared.path("MinValue").asText(), declared.path("MaxValue").asText());
              case "CommaDelimitedList" -> Stream.of("other-1,other-2");
              case String _ ->
                  TEXTS.stream()
                      .filter(text -> pattern.isMissingNode() || text.matches(pattern.asText()));
            };
    return values
        .filter(value -> !value.equals(declared.path("Default").asText()))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no other value of " + name));
  }

  /// What the local stack tells functions and runners, once it has read all that it reads.
  private static Map<String, String> read(Repository repository, Map<String, String> values) {
    var blueprint = new Blueprint(Template.parse(repository.text(SamTemplate.FILE), values));
    assertFalse(Rights.of(blueprint).given().isEmpty());
    var urls =
        blueprint.queues().stream()
            .collect(Collectors.toMap(QueueDeclaration::logicalId, QueueDeclaration::name));
    var told = new HashMap<String, String>();
    for (var function : blueprint.functions()) {
      blueprint
          .environment(function, urls)
          .forEach((name, value) -> told.put(function.logicalId() + " " + name, value));
    }
    for (var task : blueprint.tasks()) {
      blueprint
          .environment(task, urls)
          .forEach((name, value) -> told.put(task.logicalId() + " " + name, value));
    }
    return told;
  }

  /// The same as the template declares it.
  private static Map<String, JsonNode> declared(SamTemplate template) {
    var variables = new HashMap<String, JsonNode>();
    template
        .functions()
        .forEach(
            (id, function) ->
                template
                    .environment(function)
                    .forEach((name, value) -> variables.put(id + " " + name, value)));
    for (var one : template.runnerContainer().path("Environment")) {
      variables.put("RunnerTask " + one.path("Name").asText(), one.path("Value"));
    }
    assertFalse(variables.isEmpty());
    return variables;
  }
}
