package dev.runyard.local.template;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TemplateTest {
  private static final String HEAD =
      """
      Parameters:
        Stage: { Type: String, Default: dev, AllowedValues: [dev, live] }
        Subnets: { Type: CommaDelimitedList, Default: "a, b" }
        Pause: { Type: Number, Default: 10, MinValue: 5, MaxValue: 50 }
      Mappings:
        Sizes: { dev: { Memory: 256 } }
      Conditions:
        Live: !Equals [!Ref Stage, live]
        Quiet: !Not [!Condition Live]
        Both: !And [!Condition Live, !Condition Quiet]
        Either: !Or [!Condition Live, !Condition Quiet]
      Globals:
        Function:
          Timeout: 7
          Environment: { Variables: { SHARED: "1", STAGE: global } }
      Resources:
        Jobs: { Type: AWS::SQS::Queue, Properties: { VisibilityTimeout: 45 } }
      """;

  @Test
  void resolvesEachIntrinsicInBothSpellings() {
    Map<String, String> variables =
        variables(
            """
            REF: !Ref Stage
            LONG_REF: { Ref: Stage }
            SUB: !Sub "${AWS::StackName}-${Stage}-${!kept}-${Jobs.Arn}"
            SUB_WITH: !Sub ["${x}/${Stage}", { x: !Ref Pause }]
            JOIN: !Join ["|", !Ref Subnets]
            SELECT: !Select [1, !Split [":", "a:b:c"]]
            ATT: !GetAtt Jobs.QueueName
            LONG_ATT: { "Fn::GetAtt": [Jobs, Arn] }
            URL: !Ref Jobs
            IF: !If [Either, yes-branch, no-branch]
            NEVER: !If [Both, there, !Ref AWS::NoValue]
            MAP: !FindInMap [Sizes, !Ref Stage, Memory]
            NUMBER: 8080
            """);
    assertEquals("dev", variables.get("REF"));
    assertEquals("dev", variables.get("LONG_REF"));
    assertEquals(
        "runyard-dev-${kept}-arn:aws:sqs:us-east-1:000000000000:Jobs", variables.get("SUB"));
    assertEquals("10/dev", variables.get("SUB_WITH"));
    assertEquals("a|b", variables.get("JOIN"));
    assertEquals("b", variables.get("SELECT"));
    assertEquals("Jobs", variables.get("ATT"));
    assertEquals("arn:aws:sqs:us-east-1:000000000000:Jobs", variables.get("LONG_ATT"));
    assertEquals("http://queues/Jobs", variables.get("URL"));
    assertEquals("yes-branch", variables.get("IF"));
    assertTrue(!variables.containsKey("NEVER"));
    assertEquals("256", variables.get("MAP"));
    assertEquals("8080", variables.get("NUMBER"));
  }

  @Test
  void mergesGlobalsIntoFunctions() {
    Map<String, String> variables = variables("STAGE: own\n");
    assertEquals(Map.of("SHARED", "1", "STAGE", "own"), variables);
    FunctionDeclaration function = blueprint(function("A: b\n"), Map.of()).functions().getFirst();
    assertEquals(Duration.ofSeconds(7), function.timeout());
  }

  @Test
  void leavesOutResourcesWhoseConditionDoesNotHold() {
    String yaml = HEAD + "  Extra: { Type: AWS::SQS::Queue, Condition: Live }\n";
    assertEquals(1, blueprint(yaml, Map.of()).queues().size());
    assertEquals(2, blueprint(yaml, Map.of("Stage", "live")).queues().size());
  }

  @Test
  void refusesParametersTheTemplateDoesNotAllow() {
    assertRefused(HEAD, Map.of("Stage", "other"), "allows");
    assertRefused(HEAD, Map.of("Pause", "51"), "outside");
    assertRefused(HEAD, Map.of("Unknown", "1"), "no parameter Unknown");
  }

  @Test
  void takesLongerDocumentsThanADeployment() {
    String yaml = HEAD.replace("AllowedValues: [dev, live]", "MaxLength: 3");
    assertEquals(
        "longer",
        Template.parse(yaml, Map.of("Stage", "longer"))
            .parameter("Stage")
            .map(JsonNode::asText)
            .orElseThrow());
  }

  @Test
  void refusesWhatItCannotRun() {
    assertRefused(
        HEAD + "  Bucket: { Type: AWS::EFS::FileSystem }\n", Map.of(), "neither runs nor lists");
    assertRefused(HEAD + function("A: !Ref Nowhere\n").substring(HEAD.length()), Map.of(), null);
    assertRefused(
        HEAD
            + """
              F:
                Type: AWS::Serverless::Function
                Properties:
                  Handler: x
                  Events:
                    E: { Type: SQS, Properties: { Queue: !GetAtt Jobs.Arn, Surprise: 1 } }
            """,
        Map.of(),
        "Surprise");
  }

  @Test
  void readsEventSources() {
    String yaml =
        HEAD
            + """
              Data:
                Type: AWS::DynamoDB::Table
                Properties: { TableName: data }
              F:
                Type: AWS::Serverless::Function
                Properties:
                  Handler: x
                  Events:
                    A: { Type: Api, Properties: { Path: "/a/{id}", Method: get } }
                    S:
                      Type: DynamoDB
                      Properties:
                        Stream: !GetAtt Data.StreamArn
                        StartingPosition: TRIM_HORIZON
                        BatchSize: 5
                        MaximumRetryAttempts: 2
                        MaximumRecordAgeInSeconds: -1
                        FunctionResponseTypes: [ReportBatchItemFailures]
                        FilterCriteria: { Filters: [{ Pattern: '{"eventName":["INSERT"]}' }] }
                        DestinationConfig: { OnFailure: { Destination: !GetAtt Jobs.Arn } }
                    T: { Type: Schedule, Properties: { Schedule: rate(1 minute) } }
            """;
    List<EventSource> events = blueprint(yaml, Map.of()).functions().getFirst().events();
    assertEquals(new EventSource.ApiRoute("GET", "/a/{id}", false, false), events.get(0));
    EventSource.TableStream stream = (EventSource.TableStream) events.get(1);
    assertEquals("Data", stream.table());
    assertEquals(5, stream.batchSize());
    assertEquals(Optional.of(2), stream.retriesMax());
    assertEquals(Optional.empty(), stream.recordAgeMax());
    assertEquals(Optional.of("Jobs"), stream.onFailure());
    assertTrue(stream.partialResponses());
    assertEquals(1, stream.filters().size());
    assertEquals("rate(1 minute)", ((EventSource.Schedule) events.get(2)).expression());
  }

  private static void assertRefused(
      String yaml, Map<String, String> parameters, @org.jspecify.annotations.Nullable String why) {
    TemplateException e =
        assertThrows(
            TemplateException.class,
            () -> {
              Blueprint blueprint = blueprint(yaml, parameters);
              blueprint.functions().forEach(f -> blueprint.environment(f, Map.of()));
            });
    if (why != null) {
      assertTrue(String.valueOf(e.getMessage()).contains(why), e.getMessage());
    }
  }

  private static Map<String, String> variables(String yaml) {
    Blueprint blueprint = blueprint(function(yaml), Map.of());
    return blueprint.environment(
        blueprint.functions().getFirst(), Map.of("Jobs", "http://queues/Jobs"));
  }

  private static String function(String variables) {
    return HEAD
        + """
          F:
            Type: AWS::Serverless::Function
            Properties:
              Handler: x
              Environment:
                Variables:
        """
        + variables.indent(10);
  }

  private static Blueprint blueprint(String yaml, Map<String, String> parameters) {
    return new Blueprint(Template.parse(yaml, parameters));
  }
}
