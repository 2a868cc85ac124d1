package dev.runyard.gates.template;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.gates.Breach;
import dev.runyard.gates.Gate;
import dev.runyard.gates.Reads;
import dev.runyard.gates.Repository;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Each route is a statement of the policy that lets the gateway call its function, and a policy
/// has an end. CloudFormation finds that out only when a stack is deployed, so it is computed here,
/// for the longest names that a stack and a region have.
@Reads(SamTemplate.FILE)
final class PolicySizeTest {
  private static final int POLICY_BYTES_MAX = 20_480;

  /// What Lambda allows, and CloudFormation cuts its names down to.
  private static final int STATEMENT_ID_CHARS_MAX = 100;

  private static final int FUNCTION_NAME_CHARS_MAX = 64;
  private static final String PLACE = "us-gov-west-1:123456789012:";
  private static final String PART = "a-rather-long-name-of-a-resource";
  private static final String PARTS = PART + PART + PART + PART + PART + PART + PART + PART;
  private static final String LONGER =
      PARTS + PARTS + PARTS + PARTS + PARTS + PARTS + PARTS + PARTS;

  /// The length of many routes together.
  private static final String LONG = LONGER + LONGER + LONGER + LONGER;

  /// With one more route, so that whoever adds one is told before a deployment is refused.
  @Gate
  @Breach(
      replace = "        Submit: { Type: Api, ",
      by =
          "        Long: { Type: Api, Properties: { Method: GET, Path: /"
              + LONG
              + " } }\n        Submit: { Type: Api, ",
      named = "ApiFunction")
  void thePolicyOfEachFunctionHasRoomForItsRoutes(Repository repository) {
    var template = SamTemplate.of(repository);
    var full = new ArrayList<String>();
    template
        .functions()
        .forEach(
            (id, function) -> {
              var statements = statements(function);
              var bytes = bytes(policy(statements));
              var one = statements.stream().mapToInt(PolicySizeTest::bytes).max().orElse(0) + 1;
              if (one > 1) {
                System.out.printf(
                    "policy of %s: %d routes, %d of %d bytes, room for %d more%n",
                    id,
                    statements.size(),
                    bytes,
                    POLICY_BYTES_MAX,
                    (POLICY_BYTES_MAX - bytes) / one);
              }
              if (bytes + one > POLICY_BYTES_MAX) {
                full.add(id + " has " + statements.size() + " routes: " + bytes + " bytes");
              }
            });
    assertEquals(List.of(), full, "move routes to a function that has room");
    assertTrue(template.routes().size() > 2);
  }

  private static String policy(List<String> statements) {
    return "{\"Version\":\"2012-10-17\",\"Id\":\"default\",\"Statement\":["
        + String.join(",", statements)
        + "]}";
  }

  private static List<String> statements(JsonNode function) {
    return SamTemplate.routes(function).values().stream().map(PolicySizeTest::statement).toList();
  }

  private static String statement(JsonNode route) {
    return "{\"Sid\":\""
        + "x".repeat(STATEMENT_ID_CHARS_MAX)
        + "\",\"Effect\":\"Allow\",\"Principal\":{\"Service\":\"apigateway.amazonaws.com\"},"
        + "\"Action\":\"lambda:InvokeFunction\",\"Resource\":\"arn:aws-us-gov:lambda:"
        + PLACE
        + "function:"
        + "x".repeat(FUNCTION_NAME_CHARS_MAX)
        + ":live\",\"Condition\":{\"ArnLike\":{\"AWS:SourceArn\":\"arn:aws-us-gov:execute-api:"
        + PLACE
        + "abcdefghij/*/"
        + route.path("Method").asText()
        + route.path("Path").asText().replaceAll("\\{[^}]*\\}", "*")
        + "\"}}}";
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
