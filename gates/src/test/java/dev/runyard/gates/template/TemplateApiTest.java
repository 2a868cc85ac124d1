package dev.runyard.gates.template;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.view.ProblemJson;
import dev.runyard.gates.Breach;
import dev.runyard.gates.Gate;
import dev.runyard.gates.Reads;
import dev.runyard.gates.Repository;
import java.io.IOException;
import java.util.Set;
import java.util.TreeSet;

/// The API that the template declares: who may call it, how it answers by itself, what it streams.
@Reads(SamTemplate.FILE)
class TemplateApiTest {
  /// Routes that anybody may call, because they check callers by themselves.
  private static final Set<String> OPEN = Set.of("POST /v1/hooks/{id}");

  @Gate
  @Breach(
      replace = "\"code\":\"not_signed\",",
      by = "\"code\":\"not_signed\",\"hint\":\"\",",
      named = "MISSING_AUTHENTICATION_TOKEN")
  @Breach(replace = "\"title\":\"Throttled\",", by = "", named = "THROTTLED")
  @Breach(replace = "problem:access-denied", by = "problem:denied", named = "ACCESS_DENIED")
  void refusesAtTheGatewayInTheFormOfTheApi(Repository repository) throws IOException {
    var responses = SamTemplate.of(repository).properties("Api").path("GatewayResponses");
    assertFalse(responses.isEmpty());
    for (var response : responses.properties()) {
      var name = response.getKey();
      var body = response.getValue().at("/ResponseTemplates/application~1json").asText();
      var problem =
          new ObjectMapper().readTree(body.replace("$context.error.messageString", "\"\""));
      var expected = ProblemJson.of(Problem.of(ProblemCode.NOT_FOUND, ""));
      var code = problem.path("code").asText();
      problem.fieldNames().forEachRemaining(member -> assertTrue(expected.has(member), name));
      expected.remove("status");
      expected.fieldNames().forEachRemaining(member -> assertTrue(problem.has(member), name));
      var type = "urn:runyard:problem:" + code.replace('_', '-');
      assertEquals(type, problem.path("type").asText(), name);
    }
  }

  @Gate
  @Breach(
      replace = "Path: \"/v1/hooks/{id}\", Auth: { Authorizer: NONE }",
      by = "Path: \"/v1/hooks/{id}\"",
      named = "POST /v1/hooks/{id}")
  @Breach(
      replace = "DefaultAuthorizer: !Ref Access",
      by = "DefaultAuthorizer: NONE",
      named = "Access")
  @Breach(replace = "Default: AWS_IAM", by = "Default: BEARER", named = "AWS_IAM")
  @Breach(
      replace = "InvokeRole: NONE,",
      by = "InvokeRole: CALLER_CREDENTIALS,",
      named = "CALLER_CREDENTIALS")
  @Breach(
      replace = "Method: GET, Path: /ping",
      by = "Method: GET, Auth: { Authorizer: NONE }, Path: /ping",
      named = "GET /ping")
  @Breach(
      replace = "RestApiId: !Ref Api, Method: GET, Path: /ping",
      by = "Method: GET, Path: /ping",
      named = "GET /ping")
  void signsEveryRoute(Repository repository) {
    var template = SamTemplate.of(repository);
    var auth = template.properties("Api").path("Auth");
    assertEquals("Access", auth.at("/DefaultAuthorizer/Ref").asText());
    assertEquals("AWS_IAM", template.parameter("Access").path("Default").asText());
    assertEquals("NONE", auth.path("InvokeRole").asText());
    for (var route : template.routes().entrySet()) {
      assertEquals(OPEN.contains(route.getKey()), route.getValue().has("Auth"), route.getKey());
      assertEquals(Set.of("Api"), SamTemplate.references(route.getValue()), route.getKey());
    }
  }

  @Gate
  @Breach(
      replace = "ResponseTransferMode: RESPONSE_STREAM",
      by = "ResponseTransferMode: BUFFERED",
      named = "GET /v1/runs/{id}/events")
  @Breach(
      replace = "TimeoutInMillis: 900000",
      by = "TimeoutInMillis: 29000",
      named = "GET /v1/runs/{id}/events")
  @Breach(
      replace =
          "            ResponseTransferMode: RESPONSE_STREAM\n            TimeoutInMillis: 900000\n",
      by = "",
      named = "GET /v1/runs/{id}/events")
  void streamsWhatTakesTime(Repository repository) {
    var template = SamTemplate.of(repository);
    var streamed = new TreeSet<String>();
    for (var route : template.routes().entrySet()) {
      var properties = route.getValue();
      if (properties.has("ResponseTransferMode") || properties.has("TimeoutInMillis")) {
        var mode = properties.path("ResponseTransferMode").asText();
        assertEquals("RESPONSE_STREAM", mode, route.getKey());
        assertEquals(900_000, properties.path("TimeoutInMillis").asInt(), route.getKey());
        streamed.add(route.getKey());
      }
    }
    assertFalse(streamed.isEmpty());
    assertEquals(SamTemplate.routes(template.properties("StreamFunction")).keySet(), streamed);
  }

  @Gate
  @Breach(replace = "StatusCode: 503", by = "StatusCode: 504", named = "504")
  @Breach(replace = ", Retry-After: \"'5'\"", by = "", named = "Retry-After")
  @Breach(
      replace = "Try again in some seconds.\",\"category\":\"capacity\"",
      by = "Try again in some seconds.\",\"category\":\"caller\"",
      named = "\"category\":\"caller\"")
  void saysWhatToDoWhenNothingIsFreeToAnswer(Repository repository) {
    var responses = SamTemplate.of(repository).properties("Api").path("GatewayResponses");
    var full = responses.path("INTEGRATION_FAILURE");
    assertEquals("503", full.path("StatusCode").asText());
    var headers = full.at("/ResponseParameters/Headers");
    assertTrue(headers.has("Retry-After"), "no Retry-After");
    var body = full.at("/ResponseTemplates/application~1json").asText();
    assertTrue(body.contains("\"category\":\"capacity\""), body);
  }
}
