package dev.runyard.gates.template;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.aws.Settings;
import dev.runyard.gates.Breach;
import dev.runyard.gates.Gate;
import dev.runyard.gates.Reads;
import dev.runyard.gates.Repository;
import dev.runyard.local.template.Blueprint;
import dev.runyard.local.template.FunctionDeclaration;
import dev.runyard.local.template.QueueDeclaration;
import dev.runyard.local.template.TableDeclaration;
import dev.runyard.local.template.TaskDeclaration;
import dev.runyard.local.template.Template;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// The template as the local stack reads it.
@Reads(SamTemplate.FILE)
class ProductTemplateTest {

  @Gate
  @Breach(
      replace = "  ViewsTable:\n    Type: AWS::DynamoDB::Table",
      by = "  ViewsTable:\n    Type: AWS::DynamoDB::GlobalTable",
      named = "ViewsTable")
  @Breach(
      replace = "  LostRecordsQueue:\n",
      by = "  ParkedQueue:\n    Type: AWS::SQS::Queue\n  LostRecordsQueue:\n",
      named = "ParkedQueue")
  void everyResourceHasALocalPartOrIsListedAsNotNeeded(Repository repository) {
    Blueprint blueprint = blueprint(repository);
    assertEquals(
        Set.of("EventsTable", "ViewsTable"),
        blueprint.tables().stream().map(TableDeclaration::logicalId).collect(Collectors.toSet()));
    assertEquals(
        Set.of(
            "RunQueue",
            "DeadLetterQueue",
            "StreamFailureQueue",
            "LostRecordsQueue",
            "WebhookQueue",
            "WebhookDeadLetterQueue"),
        blueprint.queues().stream().map(QueueDeclaration::logicalId).collect(Collectors.toSet()));
    assertEquals(1, blueprint.clusters().size());
    assertTrue(blueprint.notNeeded().contains("FunctionLogs"));
  }

  @Gate
  @Breach(
      replace = "RUNYARD_EVENTS_TABLE: !Ref EventsTable",
      by = "RUNYARD_EVENTS_TABLE: !Ref ViewsTable",
      named = "ViewsTable")
  @Breach(
      replace = "Name: RUNYARD_RUN_QUEUE_URL, Value: !Ref RunQueue",
      by = "Name: RUNYARD_RUN_QUEUE_URL, Value: !Ref DeadLetterQueue",
      named = "http://q/DeadLetterQueue")
  void everyVariableResolves(Repository repository) {
    Blueprint blueprint = blueprint(repository);
    Map<String, String> urls =
        blueprint.queues().stream()
            .collect(Collectors.toMap(QueueDeclaration::logicalId, q -> "http://q/" + q.name()));
    for (FunctionDeclaration function : blueprint.functions()) {
      assertEquals(
          "EventsTable", blueprint.environment(function, urls).get("RUNYARD_EVENTS_TABLE"));
    }
    List<TaskDeclaration> tasks = blueprint.tasks();
    assertEquals(1, tasks.size());
    assertEquals(
        "http://q/RunQueue",
        blueprint.environment(tasks.getFirst(), urls).get("RUNYARD_RUN_QUEUE_URL"));
  }

  /// The stack's own subnets have no other way out.
  @Gate
  @Breach(
      replace = "RUNYARD_ASSIGN_PUBLIC_IP: !If [OwnNetwork, ENABLED, !Ref AssignPublicIp]",
      by = "RUNYARD_ASSIGN_PUBLIC_IP: !Ref AssignPublicIp",
      named = "ENABLED")
  @Breach(
      replace = "RUNYARD_ASSIGN_PUBLIC_IP: !If [OwnNetwork, ENABLED, !Ref AssignPublicIp]",
      by = "RUNYARD_ASSIGN_PUBLIC_IP: ENABLED",
      named = "DISABLED")
  void runnersHaveNoPublicAddressOnlyInSubnetsThatAreGiven(Repository repository) {
    Map<String, String> without = Map.of("AssignPublicIp", "DISABLED");
    Map<String, String> given =
        Map.of("AssignPublicIp", "DISABLED", "SubnetIds", "s-1,s-2", "SecurityGroupIds", "g-1");
    assertEquals(Set.of("ENABLED"), addresses(repository, Map.of()));
    assertEquals(Set.of("ENABLED"), addresses(repository, without));
    assertEquals(Set.of("DISABLED"), addresses(repository, given));
  }

  /// What the functions that start runners are told.
  private static Set<String> addresses(Repository repository, Map<String, String> parameters) {
    Blueprint blueprint = blueprint(repository, parameters);
    Map<String, String> urls =
        blueprint.queues().stream()
            .collect(Collectors.toMap(QueueDeclaration::logicalId, QueueDeclaration::name));
    return blueprint.functions().stream()
        .map(function -> blueprint.environment(function, urls))
        .filter(variables -> variables.containsKey(Settings.CLUSTER))
        .map(variables -> String.valueOf(variables.get(Settings.ASSIGN_PUBLIC_IP)))
        .collect(Collectors.toSet());
  }

  private static Blueprint blueprint(Repository repository) {
    return blueprint(repository, Map.of());
  }

  private static Blueprint blueprint(Repository repository, Map<String, String> parameters) {
    String text = repository.text(SamTemplate.FILE);
    return assertDoesNotThrow(() -> new Blueprint(Template.parse(text, parameters)));
  }
}
