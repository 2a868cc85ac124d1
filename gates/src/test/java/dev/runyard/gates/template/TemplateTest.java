package dev.runyard.gates.template;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.limits.Limits;
import dev.runyard.gates.Breach;
import dev.runyard.gates.Gate;
import dev.runyard.gates.Reads;
import dev.runyard.gates.Repository;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// What the template declares, apart from its API: [TemplateApiTest] has that.
@Reads(SamTemplate.FILE)
class TemplateTest {
  private static final int STREAM_READERS_MAX = 2;
  private static final int STREAM_KEEPS_SECONDS = 86_400;

  /// Types of which one costs by the hour, not by what is done with it.
  private static final Pattern COSTS_WHILE_IDLE =
      Pattern.compile(
          "AWS::(EC2::(NatGateway|Instance|EIP|TransitGateway.*|ClientVpn.*|VPNConnection)"
              + "|ECS::Service|KMS::Key|SecretsManager::Secret|Kinesis::.*|WAFv2::WebACL"
              + "|(AutoScaling|DAX|EKS|ElastiCache|ElasticLoadBalancing.*|MSK|OpenSearch\\w*|RDS)::.*)");

  private static final Pattern OF_AWS =
      Pattern.compile(".*:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs");

  @Gate
  @Breach(replace = "!Ref RunQueue", by = "!Ref RunsQueue", named = "RunsQueue")
  @Breach(replace = "!GetAtt EventsTable.Arn", by = "!GetAtt Events.Arn", named = "[Events]")
  @Breach(replace = "${ArtifactsBucket.Arn}", by = "${Artifacts.Arn}", named = "Artifacts")
  @Breach(replace = "!If [Protected,", by = "!If [Kept,", named = "Kept")
  @Breach(replace = "Condition: OwnKey", by = "Condition: NoKey", named = "NoKey")
  void refersOnlyToWhatItDeclares(Repository repository) {
    var template = SamTemplate.of(repository);
    var missing = SamTemplate.references(template.root());
    missing.removeAll(names(template, "Resources"));
    missing.removeAll(names(template, "Parameters"));
    missing.removeAll(names(template, "Conditions"));
    assertEquals(Set.of(), missing);
  }

  @Gate
  @Breach(replace = "Parameters:\n", by = "Parameters:\n  Spare: {}\n", named = "Spare")
  @Breach(replace = "Conditions:\n", by = "Conditions:\n  Never: {}\n", named = "Never")
  void usesEachParameterAndConditionItDeclares(Repository repository) {
    var template = SamTemplate.of(repository);
    var unused = names(template, "Parameters");
    unused.addAll(names(template, "Conditions"));
    unused.removeAll(SamTemplate.references(template.root()));
    assertEquals(Set.of(), unused);
  }

  @Gate
  @Breach(
      replace = "EveryMinute: { Type: Schedule",
      by = "EveryMinute: { Type: DynamoDB",
      named = "SweepFunction")
  void letsAtMostTwoFunctionsReadTheStream(Repository repository) {
    var readers = streamReaders(SamTemplate.of(repository)).keySet();
    assertTrue(readers.size() <= STREAM_READERS_MAX, readers::toString);
  }

  @Gate
  @Breach(
      replace = "MaximumRecordAgeInSeconds: 86400",
      by = "MaximumRecordAgeInSeconds: 3600",
      named = "ProjectFunction")
  @Breach(replace = "[ReportBatchItemFailures]", by = "[]", named = "ProjectFunction")
  @Breach(
      replace = "BisectBatchOnFunctionError: true",
      by = "BisectBatchOnFunctionError: false",
      named = "ProjectFunction")
  @Breach(
      replace = "Destination: !GetAtt LostRecordsQueue.Arn",
      by = "Destination: !GetAtt StreamFailureQueue.Arn",
      named = "ProjectFunction")
  void parksARecordThatCannotBeHandledWithinAMinute(Repository repository) {
    var readers = streamReaders(SamTemplate.of(repository));
    assertFalse(readers.isEmpty());
    readers.forEach(
        (id, source) -> {
          assertEquals(STREAM_KEEPS_SECONDS, number(source, "MaximumRecordAgeInSeconds"), id);
          assertEquals(
              "ReportBatchItemFailures", source.at("/FunctionResponseTypes/0").asText(), id);
          assertEquals("true", source.path("BisectBatchOnFunctionError").asText(), id);
          var paused = source.at("/DestinationConfig/OnFailure/Destination");
          assertEquals(Set.of("LostRecordsQueue"), SamTemplate.references(paused), id);
        });
  }

  @Gate
  @Breach(
      replace = "MessageRetentionPeriod: 604800",
      by = "MessageRetentionPeriod: 60",
      named = "RunQueue")
  @Breach(
      replace = "MessageRetentionPeriod: 1209600",
      by = "MessageRetentionPeriod: 604800",
      named = "DeadLetterQueue")
  @Breach(replace = "VisibilityTimeout: 45", by = "VisibilityTimeout: 30", named = "RunQueue")
  void keepsAMessageLongerThanItsRunCanTake(Repository repository) {
    var template = SamTemplate.of(repository);
    var queue = template.properties("RunQueue");
    var kept = number(queue, "MessageRetentionPeriod");
    assertTrue(kept > Limits.QUEUED_SECONDS_MAX + Limits.RUN_SECONDS_MAX, "RunQueue");
    var keptDead = number(template.properties("DeadLetterQueue"), "MessageRetentionPeriod");
    assertTrue(keptDead > kept, "DeadLetterQueue");
    assertEquals(Limits.LEASE_SECONDS, number(queue, "VisibilityTimeout"), "RunQueue");
  }

  @Gate
  @Breach(replace = "MinValue: 9 #", by = "MinValue: 7 #", named = "7 days")
  void keepsARunAtLeastAsLongAsItMayWaitForOneAnswer(Repository repository) {
    var days = number(SamTemplate.of(repository).parameter("RetentionDays"), "MinValue");
    var longest = Limits.QUEUED_SECONDS_MAX + Limits.RUN_SECONDS_MAX + Limits.AWAIT_SECONDS_MAX;
    assertTrue(Duration.ofDays(days).toSeconds() >= longest, days + " days");
  }

  @Gate
  @Breach(replace = "MaximumRetryAttempts: 0", by = "MaximumRetryAttempts: 2", named = "<2>")
  @Breach(replace = "Timeout: 55", by = "Timeout: 60", named = "60 s")
  void neverRunsTheClockBesideItself(Repository repository) {
    var sweep = SamTemplate.of(repository).properties("SweepFunction");
    assertEquals("0", sweep.at("/EventInvokeConfig/MaximumRetryAttempts").asText());
    var seconds = number(sweep, "Timeout");
    assertTrue(seconds < 60, seconds + " s");
  }

  /// Whoever drives a run reads its snapshot and the turns of its session, and writes both.
  @Gate
  @Breach(
      replace =
          "turns of sessions.\n          - Effect: Allow\n            Action: [dynamodb:GetItem, ",
      by = "turns of sessions.\n          - Effect: Allow\n            Action: [",
      named = "but was: <[dynamodb:PutItem")
  void letsWhoeverAdvancesReadAndWriteTheViews(Repository repository) {
    var views = new TreeSet<String>();
    var policy = SamTemplate.of(repository).properties("StartRunsPolicy");
    for (var statement : policy.at("/PolicyDocument/Statement")) {
      if (SamTemplate.references(statement.path("Resource")).contains("ViewsTable")) {
        statement.path("Action").forEach(action -> views.add(action.asText()));
      }
    }
    assertEquals(Set.of("dynamodb:GetItem", "dynamodb:PutItem"), views);
  }

  @Gate
  @Breach(replace = "StopTimeout: 120", by = "StopTimeout: 60", named = "60 s")
  void letsARunnerEndItsAgentsBeforeItIsKilled(Repository repository) {
    var seconds = number(SamTemplate.of(repository).runnerContainer(), "StopTimeout");
    assertTrue(seconds >= Limits.LEAVE_SECONDS_MAX, seconds + " s");
  }

  @Gate
  @Breach(
      replace = "            - { Name: RUNYARD_RUNNERS_MAX, Value: !Ref RunnersMax }\n",
      by = "",
      named = "RunnersMax")
  @Breach(
      replace = "            dev.runyard.snap-start: !Ref SnapStart\n",
      by = "",
      named = "SnapStart")
  @Breach(
      replace = "Timeout: 15",
      by = "Timeout: !If [Protected, 15, 16]",
      named = "DeletionProtection")
  @Breach(replace = "VersionDescription: !Ref RunnerTask", by = "", named = "ApiFunction")
  void publishesANewVersionWhenAParameterOfAFunctionChanges(Repository repository) {
    var template = SamTemplate.of(repository);
    var carried = template.parameters(template.properties("RunnerTask"));
    for (var function : template.functions().entrySet()) {
      var id = function.getKey();
      var properties = function.getValue();
      assertEquals("RunnerTask", properties.at("/VersionDescription/Ref").asText(), id);
      var versioned = ((ObjectNode) properties.deepCopy());
      // The function's own, and its role's; no version carries them.
      versioned.remove(List.of("ReservedConcurrentExecutions", "Policies"));
      var given = template.parameters(versioned);
      given.addAll(template.parameters(template.root().at("/Globals/Function")));
      given.removeAll(carried);
      assertEquals(Set.of(), given, id);
    }
  }

  /// Lambda refuses every reservation in an account that has room for 100 calls at once or fewer.
  @Gate
  @Breach(
      replace = "SweepReserved: { Type: Number, Default: 0",
      by = "SweepReserved: { Type: Number, Default: 1",
      named = "SweepReserved")
  @Breach(
      replace = "!If [ApiHasReserve, !Ref ApiReserved, !Ref AWS::NoValue]",
      by = "10",
      named = "ApiFunction")
  @Breach(
      replace = "ApiHasReserve: !Not [!Equals [!Ref ApiReserved,",
      by = "ApiHasReserve: !Not [!Equals [!Ref StreamsMax,",
      named = "ApiReserved")
  void reservesNoCallsUnlessAParameterSaysSo(Repository repository) {
    var template = SamTemplate.of(repository);
    for (var function : template.functions().entrySet()) {
      var reserved = function.getValue().path("ReservedConcurrentExecutions").path("Fn::If");
      var parameter = reserved.path(1).path("Ref").asText();
      assertEquals("AWS::NoValue", reserved.path(2).path("Ref").asText(), function.getKey());
      assertEquals("0", template.parameter(parameter).path("Default").asText(), parameter);
      var unequal = template.root().path("Conditions").path(reserved.path(0).asText());
      assertEquals(
          "{\"Fn::Not\":[{\"Fn::Equals\":[{\"Ref\":\"%s\"},\"0\"]}]}".formatted(parameter),
          unequal.toString());
    }
  }

  @Gate
  @Breach(replace = "10.20.8.0/21", by = "10.20.8.0/23", named = "SubnetB has 507")
  @Breach(replace = "10.20.8.0/21", by = "10.20.0.0/21", named = "SubnetB overlaps")
  @Breach(replace = "10.20.8.0/21", by = "10.20.16.0/21", named = "SubnetB is outside")
  @Breach(replace = "!Select [1,", by = "!Select [0,", named = "a zone for each subnet")
  void hasAnAddressForEachRunnerInEachZone(Repository repository) {
    var template = SamTemplate.of(repository);
    var network = AddressBlock.of(template.properties("Vpc").path("CidrBlock").asText());
    var runners = number(template.parameter("RunnersMax"), "MaxValue");
    var subnets = new ArrayList<AddressBlock>();
    var zones = new TreeSet<String>();
    for (var declared : template.ofType("AWS::EC2::Subnet").entrySet()) {
      var name = declared.getKey();
      var subnet = AddressBlock.of(declared.getValue().path("CidrBlock").asText());
      assertTrue(network.holds(subnet), name + " is outside");
      assertTrue(subnets.stream().noneMatch(subnet::overlaps), name + " overlaps");
      assertTrue(subnet.free() >= runners, name + " has " + subnet.free());
      subnets.add(subnet);
      zones.add(declared.getValue().path("AvailabilityZone").toString());
    }
    assertTrue(subnets.size() > 1);
    assertEquals(subnets.size(), zones.size(), "a zone for each subnet");
  }

  @Gate
  @Breach(
      replace = "AWS::EC2::InternetGateway\n",
      by = "AWS::EC2::NatGateway\n",
      named = "NatGateway")
  @Breach(replace = "AWS::ECR::Repository", by = "AWS::RDS::DBInstance", named = "RDS")
  @Breach(
      replace = "VpcEndpointType: Gateway",
      by = "VpcEndpointType: Interface",
      named = "TableEndpoint")
  @Breach(
      replace = "BillingMode: PAY_PER_REQUEST",
      by = "BillingMode: PROVISIONED",
      named = "EventsTable")
  @Breach(
      replace = "AutoPublishAlias: live\n",
      by = "ProvisionedConcurrencyConfig: { ProvisionedConcurrentExecutions: 1 }\n",
      named = "ProvisionedConcurrency")
  void declaresNothingThatCostsWhileIdle(Repository repository) {
    var template = SamTemplate.of(repository);
    for (var resource : template.root().path("Resources").properties()) {
      var type = resource.getValue().path("Type").asText();
      assertFalse(COSTS_WHILE_IDLE.matcher(type).matches(), type);
    }
    template
        .ofType("AWS::EC2::VPCEndpoint")
        .forEach((id, it) -> assertEquals("Gateway", it.path("VpcEndpointType").asText(), id));
    template
        .ofType("AWS::DynamoDB::Table")
        .forEach((id, it) -> assertEquals("PAY_PER_REQUEST", it.path("BillingMode").asText(), id));
    var kept = template.root().findValues("ProvisionedConcurrencyConfig");
    assertEquals(List.of(), kept, "ProvisionedConcurrencyConfig");
  }

  @Gate
  @Breach(replace = "Action: sqs:SendMessage,", by = "Action: \"sqs:*\",", named = "sqs:*")
  @Breach(
      replace = "Action: sqs:SendMessage, Resource: !GetAtt RunQueue.Arn",
      by = "Action: sqs:SendMessage, Resource: [\"*\"]",
      named = "sqs:SendMessage")
  @Breach(
      replace = "Action: sqs:SendMessage,",
      by = "NotAction: sqs:DeleteQueue,",
      named = "sqs:DeleteQueue")
  @Breach(
      replace = "        - Statement:\n            - {",
      by = "        - Statement: { Action: \"s3:*\" }\n        - Statement:\n            - {",
      named = "s3:*")
  void grantsNamedActionsOnNamedResources(Repository repository) {
    var statements = new ArrayList<JsonNode>();
    for (var granted : SamTemplate.of(repository).root().findValues("Statement")) {
      statements.addAll(SamTemplate.branches(granted));
    }
    assertFalse(statements.isEmpty());
    for (var statement : statements) {
      assertTrue(statement.has("Action"), statement::toString);
      assertTrue(statement.has("Resource") || statement.has("Principal"), statement::toString);
      assertFalse(statement.path("Action").toString().contains("*"), statement::toString);
      assertTrue(
          !statement.path("Resource").toString().contains("\"*\"")
              || statement.path("Action").asText().equals("ecr:GetAuthorizationToken"),
          statement::toString);
    }
  }

  /// Policies of others grant what nobody here has read, but for what AWS needs to log.
  @Gate
  @Breach(
      replace = "        - !Ref StartRunsPolicy\n",
      by = "        - AmazonSQSFullAccess\n",
      named = "AmazonSQSFullAccess")
  @Breach(
      replace = "        - !Ref StartRunsPolicy\n",
      by = "        - DynamoDBCrudPolicy: { TableName: !Ref EventsTable }\n",
      named = "DynamoDBCrudPolicy")
  @Breach(
      replace = "service-role/AmazonAPIGatewayPushToCloudWatchLogs",
      by = "AdministratorAccess",
      named = "AdministratorAccess")
  void grantsByItsOwnPolicies(Repository repository) {
    var others = new ArrayList<String>();
    for (var function : SamTemplate.of(repository).functions().values()) {
      for (var policy : SamTemplate.branches(function.path("Policies"))) {
        if (!policy.has("Statement") && !policy.has("Ref")) {
          others.add(policy.toString());
        }
      }
    }
    for (var attached : SamTemplate.of(repository).root().findValues("ManagedPolicyArns")) {
      for (var policy : SamTemplate.branches(attached)) {
        if (!policy.has("Ref") && !OF_AWS.matcher(policy.path("Fn::Sub").asText()).matches()) {
          others.add(policy.toString());
        }
      }
    }
    assertEquals(List.of(), others);
  }

  /// A block of IPv4 addresses.
  private record AddressBlock(long first, long size) {
    /// Addresses AWS keeps of each subnet for itself.
    static final int KEPT = 5;

    static AddressBlock of(String cidr) {
      var parts = cidr.split("[./]", -1);
      var first = 0L;
      for (var i = 0; i < 4; i++) {
        first = (first << 8) + Integer.parseInt(parts[i]);
      }
      return new AddressBlock(first, 1L << (32 - Integer.parseInt(parts[4])));
    }

    boolean holds(AddressBlock other) {
      return first <= other.first && other.first + other.size <= first + size;
    }

    boolean overlaps(AddressBlock other) {
      return first < other.first + other.size && other.first < first + size;
    }

    long free() {
      return size - KEPT;
    }
  }

  private static Set<String> names(SamTemplate template, String section) {
    var names = new TreeSet<String>();
    template.root().path(section).fieldNames().forEachRemaining(names::add);
    return names;
  }

  /// How each function that reads the stream does so.
  private static Map<String, JsonNode> streamReaders(SamTemplate template) {
    var readers = new TreeMap<String, JsonNode>();
    template
        .functions()
        .forEach(
            (id, function) -> {
              for (var event : function.path("Events")) {
                if (event.path("Type").asText().equals("DynamoDB")) {
                  readers.put(id, event.path("Properties"));
                }
              }
            });
    return readers;
  }

  private static int number(JsonNode properties, String name) {
    return Integer.parseInt(properties.path(name).asText());
  }
}
