package dev.runyard.gates.rights;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.gates.Breach;
import dev.runyard.gates.Gate;
import dev.runyard.gates.Reads;
import dev.runyard.gates.Repository;
import dev.runyard.local.rights.Call;
import dev.runyard.local.rights.Permission;
import dev.runyard.local.rights.Rights;
import dev.runyard.local.template.Blueprint;
import dev.runyard.local.template.Template;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// Nobody in the product may change or remove what is in the log, or more of a store than its own
/// part.
@Reads(EventRightsTest.TEMPLATE)
final class EventRightsTest {
  static final String TEMPLATE = "template.yaml";
  private static final String EVENTS = "arn:aws:dynamodb:us-east-1:000000000000:table/EventsTable";
  private static final String VIEWS = "arn:aws:dynamodb:us-east-1:000000000000:table/ViewsTable";
  private static final String BUCKET = "arn:aws:s3:::artifactsbucket";
  private static final String RUNNER = "RunnerRole";

  @Gate
  @Breach(
      replace = "Action: [dynamodb:PutItem, dynamodb:Query], Resource: !GetAtt EventsTable.Arn",
      by =
          "Action: [dynamodb:PutItem, dynamodb:Query, dynamodb:DeleteItem], Resource: !GetAtt"
              + " EventsTable.Arn",
      named = "ApiFunction dynamodb:DeleteItem")
  void eventsAreReadAndAdded(Repository repository) {
    Set<String> others = new TreeSet<>();
    for (Rights.Held held : rights(repository).given()) {
      Permission permission = held.permission();
      if (permission.resource().startsWith(EVENTS)
          && !Set.of("dynamodb:Query", "dynamodb:PutItem").contains(permission.action())) {
        others.add(held.name());
      }
    }
    assertEquals(Set.of(), others);
  }

  /// Also if somebody gives the runner's role another policy.
  @Gate
  @Breach(
      replace = "                  - dynamodb:UpdateItem\n",
      by = "",
      named = "dynamodb:UpdateItem")
  void aRunnerIsDeniedToChangeOrRemoveEvents(Repository repository) {
    String wide =
        repository
            .text(TEMPLATE)
            .replace(
                "Action: [dynamodb:Query, dynamodb:PutItem]\n"
                    + "                Resource: !GetAtt EventsTable.Arn",
                "Action: \"dynamodb:*\"\n                Resource: !GetAtt EventsTable.Arn");
    Rights rights = rights(wide);
    List<String> granted = new ArrayList<>();
    for (String action :
        List.of(
            "UpdateItem",
            "DeleteItem",
            "BatchWriteItem",
            "PartiQLInsert",
            "PartiQLUpdate",
            "PartiQLDelete")) {
      Call call = new Call(RUNNER, "dynamodb:" + action, EVENTS, Map.of());
      if (rights.grants(call)) {
        granted.add(call.action());
      }
    }
    assertEquals(List.of(), granted);
    assertTrue(rights.grants(new Call(RUNNER, "dynamodb:Scan", EVENTS, Map.of())), "it is wide");
  }

  @Gate
  @Breach(
      replace = "- !Sub \"${ArtifactsBucket.Arn}/*/sessions/*\"",
      by = "- !Sub \"${ArtifactsBucket.Arn}/*\"",
      named = "s3:GetObject arn:aws:s3:::artifactsbucket/default/runs/r/outputs/o")
  void aRunnerHasNoOtherObjects(Repository repository) {
    Rights rights = rights(repository);
    List<String> granted = new ArrayList<>();
    for (String refused :
        List.of(
            "s3:GetObject default/runs/r/outputs/o",
            "s3:DeleteObject default/runs/r/outputs/o",
            "s3:PutObject default/other/o",
            "s3:GetObject other")) {
      String[] parts = refused.split(" ", 2);
      Call call = new Call(RUNNER, parts[0], BUCKET + "/" + parts[1], Map.of());
      if (rights.grants(call)) {
        granted.add(call.action() + " " + call.resource());
      }
    }
    assertEquals(List.of(), granted);
  }

  /// The table also has what webhooks are signed with and what opens the stack.
  @Gate
  @Breach(
      replace = "\"wakeup#runner-*\"",
      by = "\"*#webhooks\", \"wakeup#*\"",
      named = "[dynamodb:GetItem default#webhooks, dynamodb:Query default#webhooks,")
  void aRunnerReadsNothingOfWebhooksHooksAndKeys(Repository repository) {
    Rights rights = rights(repository);
    List<String> granted = new ArrayList<>();
    for (String key :
        List.of(
            "default#webhooks",
            "default#deliveries#w",
            "default#hooks",
            "default#hook#t",
            "default#keys",
            "default#key#hash",
            "default#job#j",
            "default#task#t",
            "key#hash",
            "stream#hash",
            "wakeup#webhooks",
            "held",
            "quota")) {
      for (String action : List.of("dynamodb:GetItem", "dynamodb:Query")) {
        if (rights.grants(new Call(RUNNER, action, VIEWS, Map.of("dynamodb:LeadingKeys", key)))) {
          granted.add(action + " " + key);
        }
      }
    }
    assertEquals(List.of(), granted);
  }

  /// What Lambda does in a function's name is not compared with calls, so it is listed here.
  @Gate
  @Breach(
      replace =
          "- Sid: LambdaGivesUp\n            Effect: Allow\n            Action: sqs:SendMessage",
      by =
          "- Sid: LambdaGivesUp\n            Effect: Allow\n            Action: [sqs:SendMessage,"
              + " sqs:PurgeQueue]",
      named = "sqs:PurgeQueue")
  void lambdaDoesNoMoreThanReadTheStreamAndTheQueue(Repository repository) {
    Set<String> implied = new TreeSet<>();
    Rights.of(new Blueprint(Template.parse(repository.text(TEMPLATE), Map.of())))
        .roles()
        .values()
        .forEach(
            policy ->
                policy.permissions().stream()
                    .filter(Permission::implied)
                    .forEach(one -> implied.add(one.action() + " " + one.resource())));
    assertEquals(
        new TreeSet<>(
            List.of(
                "dynamodb:DescribeStream " + EVENTS + "/stream/local",
                "dynamodb:GetRecords " + EVENTS + "/stream/local",
                "dynamodb:GetShardIterator " + EVENTS + "/stream/local",
                "dynamodb:ListStreams " + EVENTS + "/stream/local",
                "logs:CreateLogStream local-FunctionLogs",
                "logs:PutLogEvents local-FunctionLogs",
                "sqs:DeleteMessage arn:aws:sqs:us-east-1:000000000000:WebhookQueue",
                "sqs:GetQueueAttributes arn:aws:sqs:us-east-1:000000000000:WebhookQueue",
                "sqs:ReceiveMessage arn:aws:sqs:us-east-1:000000000000:WebhookQueue",
                "sqs:SendMessage arn:aws:sqs:us-east-1:000000000000:LostRecordsQueue")),
        implied);
  }

  private static Rights rights(Repository repository) {
    return rights(repository.text(TEMPLATE));
  }

  private static Rights rights(String template) {
    return Rights.of(new Blueprint(Template.parse(template, Map.of())));
  }
}
