package dev.runyard.local.rights;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.local.template.Blueprint;
import dev.runyard.local.template.Template;
import dev.runyard.local.template.TemplateException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RightsTest {
  private static final String HEAD =
      """
      Resources:
        Items:
          Type: AWS::DynamoDB::Table
        Jobs: { Type: AWS::SQS::Queue }
        Files: { Type: AWS::S3::Bucket }
        Cluster: { Type: AWS::ECS::Cluster }
        Shared:
          Type: AWS::IAM::ManagedPolicy
          Properties:
            PolicyDocument:
              Statement: { Effect: Allow, Action: "sqs:SendMessage", Resource: !GetAtt Jobs.Arn }
        Task:
          Type: AWS::ECS::TaskDefinition
          Properties:
            TaskRoleArn: !GetAtt Role.Arn
            ExecutionRoleArn: !GetAtt StartRole.Arn
            ContainerDefinitions: [{ Name: one }]
        StartRole: { Type: AWS::IAM::Role }
        Role:
          Type: AWS::IAM::Role
          Properties:
            ManagedPolicyArns: [!Ref Shared]
            Policies:
              - PolicyName: own
                PolicyDocument:
                  Statement: [{ Effect: Allow, Action: "s3:Get*", Resource: !Sub "${Files.Arn}/*/out/?" }]
        Work:
          Type: AWS::Serverless::Function
          Properties:
            Handler: none
      """;
  private static final String ITEMS = "arn:aws:dynamodb:us-east-1:000000000000:table/Items";
  private static final String JOBS = "arn:aws:sqs:us-east-1:000000000000:Jobs";
  private static final String CLUSTER = "arn:aws:ecs:us-east-1:000000000000:cluster/Cluster";

  @Test
  void grantsWhatAStatementAllowsAndNothingElse() {
    Rights rights =
        function(
            """
            { Effect: Allow, Action: [dynamodb:GetItem, "dynamodb:Q*"], Resource: [!GetAtt Items.Arn, !Sub "${Items.Arn}/index/*"] }
            """);
    assertTrue(may(rights, "dynamodb:GetItem", ITEMS));
    assertTrue(may(rights, "DynamoDB:getitem", ITEMS), "the names of actions ignore case");
    assertTrue(may(rights, "dynamodb:Query", ITEMS + "/index/due"));
    assertFalse(may(rights, "dynamodb:PutItem", ITEMS));
    assertFalse(may(rights, "dynamodb:GetItem", ITEMS + "2"));
    assertFalse(may(rights, "dynamodb:GetItem", ITEMS.replace("Items", "items")));
    assertFalse(rights.grants(new Call("Other", "dynamodb:GetItem", ITEMS, Map.of())));
  }

  @Test
  void aTableIsNotItsIndexes() {
    Rights rights =
        function("{ Effect: Allow, Action: \"dynamodb:Query\", Resource: !GetAtt Items.Arn }");
    assertFalse(may(rights, "dynamodb:Query", ITEMS + "/index/due"));
  }

  @Test
  void whatIsDeniedNoOtherStatementGrants() {
    Rights rights =
        function(
            """
            { Effect: Allow, Action: "*", Resource: "*" },
            { Effect: Deny, Action: "sqs:Delete*", Resource: !GetAtt Jobs.Arn }
            """);
    assertTrue(may(rights, "sqs:SendMessage", JOBS));
    assertFalse(may(rights, "sqs:DeleteMessage", JOBS));
    assertTrue(
        rights
            .explain(call("sqs:DeleteMessage", JOBS))
            .contains("a statement of template.yaml denies"));
  }

  @Test
  void aConditionMustHold() {
    Rights rights =
        function(
            """
            { Effect: Allow, Action: "ecs:ListTasks", Resource: "*",
              Condition: { ArnEquals: { "ecs:cluster": !GetAtt Cluster.Arn } } }
            """);
    Call there = new Call("Work", "ecs:ListTasks", "*", Map.of("ecs:cluster", CLUSTER));
    Call elsewhere = new Call("Work", "ecs:ListTasks", "*", Map.of("ecs:cluster", CLUSTER + "2"));
    assertTrue(rights.grants(there));
    assertFalse(rights.grants(elsewhere));
    assertFalse(rights.grants(call("ecs:ListTasks", "*")));
  }

  @Test
  void aRoleHasItsOwnAndItsManagedPolicies() {
    Rights rights = function("{ Effect: Allow, Action: \"a:b\", Resource: \"*\" }");
    assertTrue(rights.grants(new Call("Role", "sqs:SendMessage", JOBS, Map.of())));
    assertTrue(
        rights.grants(new Call("Role", "s3:GetObject", "arn:aws:s3:::files/a/b/out/1", Map.of())));
    assertFalse(
        rights.grants(new Call("Role", "s3:GetObject", "arn:aws:s3:::files/a/b/out/12", Map.of())));
    assertFalse(rights.grants(new Call("Role", "a:b", JOBS, Map.of())));
  }

  @Test
  void aFunctionMaySendWhatItGivesUp() {
    Rights rights =
        rights(
            HEAD
                + """
                      Events:
                        Changes:
                          Type: DynamoDB
                          Properties:
                            Stream: !GetAtt Items.StreamArn
                            StartingPosition: LATEST
                            DestinationConfig: { OnFailure: { Type: SQS, Destination: !GetAtt Jobs.Arn } }
                """);
    assertTrue(may(rights, "sqs:SendMessage", JOBS));
    assertTrue(rights.given().stream().noneMatch(held -> held.role().equals("Work")));
  }

  @Test
  void aFunctionMayHaveARoleOfItsOwn() {
    Rights rights = rights(HEAD + "      Role: !GetAtt Role.Arn\n");
    assertTrue(may(rights, "sqs:SendMessage", JOBS));
    assertFalse(may(rights, "sqs:DeleteMessage", JOBS));
  }

  @Test
  void whatLambdaDoesIsNotAskedForByTheFunction() {
    Rights rights =
        function(
            "{ Sid: LambdaReads, Effect: Allow, Action: \"dynamodb:GetRecords\", Resource: !GetAtt"
                + " Items.StreamArn }");
    assertTrue(may(rights, "dynamodb:GetRecords", ITEMS + "/stream/local"));
    assertTrue(rights.given().stream().noneMatch(held -> held.role().equals("Work")));
  }

  @Test
  void saysWhichLineIsMissing() {
    Rights rights = function("{ Effect: Allow, Action: \"a:b\", Resource: \"*\" }");
    assertEquals(
        "Work may not dynamodb:Query on !Sub \"${Items.Arn}/index/due\": add to the policies of"
            + " Work in template.yaml: { Effect: Allow, Action: \"dynamodb:Query\", Resource: !Sub"
            + " \"${Items.Arn}/index/due\" }",
        rights.explain(call("dynamodb:Query", ITEMS + "/index/due")));
    assertTrue(
        rights
            .explain(call("s3:GetObject", "arn:aws:s3:::files/a/secret"))
            .endsWith("Resource: !Sub \"${Files.Arn}/*\" }"));
  }

  @Test
  void findsTheRightsThatNothingNeeds() {
    Rights rights =
        function(
            "{ Effect: Allow, Action: [\"sqs:SendMessage\", \"sqs:DeleteMessage\"], Resource:"
                + " !GetAtt Jobs.Arn }");
    List<String> unneeded =
        rights.unneeded(List.of(call("sqs:SendMessage", JOBS))).stream()
            .filter(held -> held.role().equals("Work"))
            .map(held -> held.permission().action())
            .toList();
    assertEquals(List.of("sqs:DeleteMessage"), unneeded);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{ Effect: Allow, NotAction: \"a:b\", Resource: \"*\" }",
        "{ Effect: Allow, Action: \"a:b\", NotResource: \"*\" }",
        "{ Effect: Allow, Action: \"a:b\", Resource: \"*\", Principal: \"*\" }",
        "{ Effect: Maybe, Action: \"a:b\", Resource: \"*\" }",
        "{ Effect: Allow, Action: \"a:b\" }",
        "{ Effect: Allow, Resource: \"*\" }",
        "{ Effect: Allow, Action: \"a:b\", Resource: \"arn:${!aws:username}\" }",
        "{ Effect: Allow, Action: \"a:b\", Resource: !Sub \"arn:${!aws:username}\" }",
        "{ Effect: Allow, Action: \"a:b\", Resource: \"*\", Condition: { Bool: { \"ecs:cluster\":"
            + " \"x\" } } }",
        "{ Effect: Allow, Action: \"a:b\", Resource: \"*\", Condition: { StringLike: {"
            + " \"dynamodb:Attributes\": \"x\" } } }"
      })
  void refusesAStatementItCannotJudge(String statement) {
    TemplateException e = assertThrows(TemplateException.class, () -> function(statement));
    assertTrue(String.valueOf(e.getMessage()).startsWith("Work has a "), e.getMessage());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Policies: [{ SQSPollerPolicy: { QueueName: !GetAtt Jobs.QueueName } }]",
        "Policies: AmazonSQSFullAccess",
        "Role: arn:aws:iam::000000000000:role/Other",
        "Role: !GetAtt Role.Arn\n      Policies: [{ Statement: [] }]",
        "PermissionsBoundary: x"
      })
  void refusesAPolicyItCannotRead(String property) {
    TemplateException e =
        assertThrows(TemplateException.class, () -> rights(HEAD + "      " + property + "\n"));
    assertTrue(String.valueOf(e.getMessage()).startsWith("Work has "), e.getMessage());
  }

  @Test
  void aCallIsTheSameAfterItWasWritten() {
    Call call = new Call("Work", "ecs:RunTask", JOBS, Map.of("ecs:cluster", CLUSTER, "a:b", "c=d"));
    assertEquals(call, Call.parse(call.text()));
  }

  private static Rights function(String statements) {
    return rights(HEAD + "      Policies: [{ Statement: [" + statements.strip() + "] }]\n");
  }

  private static Rights rights(String yaml) {
    return Rights.of(new Blueprint(Template.parse(yaml, Map.of())));
  }

  private static boolean may(Rights rights, String action, String resource) {
    return rights.grants(call(action, resource));
  }

  private static Call call(String action, String resource) {
    return new Call("Work", action, resource, Map.of());
  }
}
