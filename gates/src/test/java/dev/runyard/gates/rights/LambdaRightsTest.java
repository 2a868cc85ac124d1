package dev.runyard.gates.rights;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.gates.Breach;
import dev.runyard.gates.Gate;
import dev.runyard.gates.Reads;
import dev.runyard.gates.Repository;
import dev.runyard.gates.template.SamTemplate;
import dev.runyard.local.rights.Call;
import dev.runyard.local.rights.Rights;
import dev.runyard.local.template.Blueprint;
import dev.runyard.local.template.EventSource;
import dev.runyard.local.template.FunctionDeclaration;
import dev.runyard.local.template.Template;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/// What Lambda does in a function's name before and after it calls the function. No code of the
/// product makes these calls, so no comparison with calls misses their rights, and without one the
/// function is never called on AWS, or says nothing. A function without a role of the template has
/// them from SAM.
@Reads(EventRightsTest.TEMPLATE)
final class LambdaRightsTest {
  private static final String DELIVER_LOGS =
      """
                    - Sid: LambdaLogs
                      Effect: Allow
                      Action: [logs:CreateLogStream, logs:PutLogEvents]
                      Resource: !GetAtt FunctionLogs.Arn
      """;

  private static final String STREAM_LOGS =
      """
                - Sid: LambdaLogs
                  Effect: Allow
                  Action: [logs:CreateLogStream, logs:PutLogEvents]
                  Resource: !GetAtt FunctionLogs.Arn
      """;

  private static final String GIVES_UP =
      """
                - Sid: LambdaGivesUp
                  Effect: Allow
                  Action: sqs:SendMessage
                  Resource: !GetAtt LostRecordsQueue.Arn
      """;

  @Gate
  @Breach(
      replace = DELIVER_LOGS,
      by = "",
      named =
          "<[DeliverRole logs:CreateLogStream on local-FunctionLogs,"
              + " DeliverRole logs:PutLogEvents on local-FunctionLogs]>")
  @Breach(
      replace = STREAM_LOGS,
      by = "",
      named =
          "<[AdvanceRole logs:CreateLogStream on local-FunctionLogs,"
              + " AdvanceRole logs:PutLogEvents on local-FunctionLogs,"
              + " ProjectRole logs:CreateLogStream on local-FunctionLogs,"
              + " ProjectRole logs:PutLogEvents on local-FunctionLogs]>")
  @Breach(
      replace = "[sqs:ReceiveMessage, sqs:DeleteMessage, sqs:GetQueueAttributes]",
      by = "[sqs:ReceiveMessage, sqs:GetQueueAttributes]",
      named = "<[DeliverRole sqs:DeleteMessage on ")
  @Breach(
      replace = "dynamodb:GetRecords, dynamodb:GetShardIterator,",
      by = "dynamodb:GetRecords,",
      named = "ProjectRole dynamodb:GetShardIterator on ")
  @Breach(
      replace = GIVES_UP,
      by = "",
      named = "AdvanceRole sqs:SendMessage on arn:aws:sqs:us-east-1:000000000000:LostRecordsQueue")
  @Breach(
      replace = "[!Ref StreamPolicy, !Ref StartRunsPolicy,",
      by = "[!Ref StartRunsPolicy,",
      named = "<[AdvanceRole dynamodb:DescribeStream on ")
  void eachRoleLetsLambdaDoItsPart(Repository repository) {
    Blueprint blueprint =
        new Blueprint(Template.parse(repository.text(EventRightsTest.TEMPLATE), Map.of()));
    Rights rights = Rights.of(blueprint);
    SamTemplate template = SamTemplate.of(repository);
    Map<String, String> arns = new HashMap<>();
    blueprint.arns().forEach((arn, id) -> arns.put(id, arn));
    Set<String> missing = new TreeSet<>();
    for (FunctionDeclaration function : blueprint.functions()) {
      JsonNode declared = Objects.requireNonNull(template.functions().get(function.logicalId()));
      if (declared.has("Role")) {
        String role = declared.at("/Role/Fn::GetAtt").asText().replace(".Arn", "");
        Stream.concat(
                logs(template, declared),
                function.events().stream().flatMap(source -> reads(source, arns)))
            .filter(need -> !rights.grants(need.by(function.logicalId())))
            .forEach(need -> missing.add(role + " " + need.action + " on " + need.resource));
      }
    }
    assertEquals(Set.of(), missing);
  }

  /// The log group is the stack's, so that Lambda makes none.
  private static Stream<Need> logs(SamTemplate template, JsonNode function) {
    JsonNode own = function.at("/LoggingConfig/LogGroup");
    JsonNode group =
        own.isMissingNode() ? template.root().at("/Globals/Function/LoggingConfig/LogGroup") : own;
    return needs(
        List.of("logs:CreateLogStream", "logs:PutLogEvents"),
        "local-" + group.path("Ref").asText());
  }

  private static Stream<Need> reads(EventSource source, Map<String, String> arns) {
    return switch (source) {
      case EventSource.TableStream stream ->
          Stream.concat(
              needs(
                  List.of(
                      "dynamodb:DescribeStream",
                      "dynamodb:GetRecords",
                      "dynamodb:GetShardIterator",
                      "dynamodb:ListStreams"),
                  arns.getOrDefault(stream.table(), "") + "/stream/local"),
              stream.onFailure().stream()
                  .flatMap(
                      queue -> needs(List.of("sqs:SendMessage"), arns.getOrDefault(queue, ""))));
      case EventSource.QueueMessages messages ->
          needs(
              List.of("sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"),
              arns.getOrDefault(messages.queue(), ""));
      // Who calls these brings a right of its own.
      case EventSource.ApiRoute _, EventSource.Schedule _ -> Stream.of();
    };
  }

  private static Stream<Need> needs(List<String> actions, String resource) {
    return actions.stream().map(action -> new Need(action, resource));
  }

  private record Need(String action, String resource) {
    Call by(String function) {
      return new Call(function, action, resource, Map.of());
    }
  }
}
