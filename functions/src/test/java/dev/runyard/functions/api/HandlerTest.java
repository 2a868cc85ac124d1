package dev.runyard.functions.api;

import static dev.runyard.functions.api.Client.json;
import static dev.runyard.functions.api.Client.post;
import static dev.runyard.functions.api.Client.request;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent.ProxyRequestContext;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.access.Identity;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.release.Release;
import dev.runyard.core.run.RunForm;
import dev.runyard.functions.Twins;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class HandlerTest {
  private final Twins twins = new Twins();
  private final Client client = new Client(twins);

  @Test
  void acceptsARun() {
    APIGatewayProxyResponseEvent response = client.call(post("/v1/runs", Client.ECHO));

    assertEquals(202, response.getStatusCode());
    String id = json(response).path("run_id").textValue();
    assertTrue(RunKey.isRunId(id));
    assertEquals("/v1/runs/" + id, header(response, "Location"));
    assertEquals("created", json(response).path("status").textValue());
    assertEquals(List.of(new RunKey(Identity.TENANT_DEFAULT, id)), twins.queue.runs());
  }

  @Test
  void locationKeepsTheStage() {
    APIGatewayProxyResponseEvent response =
        client.call(
            post("/v1/runs", Client.ECHO)
                .withRequestContext(new ProxyRequestContext().withPath("/live/v1/runs")));

    assertTrue(header(response, "Location").startsWith("/live/v1/runs/"));
  }

  @Test
  void showsARunThatNothingHasProjectedYet() {
    String id = client.submit();

    APIGatewayProxyResponseEvent response = client.get("/v1/runs/" + id);

    assertEquals(200, response.getStatusCode());
    assertEquals(id, json(response).path("run_id").textValue());
    assertEquals(3, json(response).path("last_sequence").intValue());
  }

  @Test
  void showsARunBeyondItsSnapshot() {
    RunKey run = twins.running();
    twins.project().project(run);
    twins.complete(run);

    JsonNode json = json(client.get("/v1/runs/" + run.runId()));

    assertEquals("completed", json.path("status").textValue());
    assertEquals(0, json.at("/exit/code").intValue());
  }

  @Test
  void answersNotModifiedToAnETagThatHolds() {
    RunKey run = twins.running();
    String path = "/v1/runs/" + run.runId();
    String tag = header(client.get(path), "ETag");

    for (String given : List.of(tag, "W/" + tag, "\"0\", " + tag, "*")) {
      APIGatewayProxyResponseEvent response =
          client.call(request("GET", path).withHeaders(Map.of("if-none-match", given)));
      assertEquals(304, response.getStatusCode());
      assertEquals("", response.getBody());
    }
    twins.complete(run);
    assertEquals(
        200,
        client
            .call(request("GET", path).withHeaders(Map.of("If-None-Match", tag)))
            .getStatusCode());
  }

  @Test
  void oneKeyMakesOneRun() {
    Map<String, String> headers =
        Map.of("content-type", "application/json; charset=UTF-8", "idempotency-key", "\"k\"");
    APIGatewayProxyResponseEvent first =
        client.call(request("POST", "/v1/runs").withHeaders(headers).withBody(Client.ECHO));
    twins.clock.advance(Duration.ofHours(1));
    String respelled = "{ \"session_id\":\"s-1\", \"prompt\":\"hi\", \"agent\":\"echo\" }";
    APIGatewayProxyResponseEvent again =
        client.call(request("POST", "/v1/runs").withHeaders(headers).withBody(respelled));
    APIGatewayProxyResponseEvent other =
        client.call(
            request("POST", "/v1/runs")
                .withHeaders(headers)
                .withBody("{\"agent\":\"echo\",\"prompt\":\"other\"}"));

    assertEquals(202, again.getStatusCode());
    assertEquals(json(first), json(again));
    assertEquals(422, other.getStatusCode());
    assertEquals("idempotency_mismatch", json(other).path("code").textValue());
    assertEquals(1, twins.events.streams().stream().filter(RunKey.class::isInstance).count());
    assertEquals(1, twins.queue.runs().size());
  }

  @Test
  void listsPageByPage() {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      twins.clock.advance(Duration.ofSeconds(1));
      ids.addFirst(client.submit());
    }
    ids.forEach(id -> twins.project().project(new RunKey(Identity.TENANT_DEFAULT, id)));

    List<String> seen = new ArrayList<>();
    Map<String, String> query = new HashMap<>(Map.of("limit", "2", "agent", "echo"));
    JsonNode page = json(client.get("/v1/runs", query));
    while (page.path("next_cursor").isTextual()) {
      page.path("runs").forEach(run -> seen.add(run.path("run_id").textValue()));
      query.put("cursor", page.path("next_cursor").textValue());
      page = json(client.get("/v1/runs", query));
    }
    page.path("runs").forEach(run -> seen.add(run.path("run_id").textValue()));

    assertEquals(ids, seen);
  }

  @Test
  void filtersAList() {
    RunKey run = twins.running();
    twins.complete(run);
    twins.project().project(run);
    client.submit();

    assertEquals(
        1, json(client.get("/v1/runs", Map.of("status", "completed"))).path("runs").size());
    assertEquals(0, json(client.get("/v1/runs", Map.of("status", "failed"))).path("runs").size());
    assertEquals(1, json(client.get("/v1/runs", Map.of("session_id", "s-1"))).path("runs").size());
    assertTrue(json(client.get("/v1/runs")).path("next_cursor").isNull());
  }

  @Test
  void refusesACursorThatWasEditedOrUsedElsewhere() {
    for (int i = 0; i < 3; i++) {
      twins.clock.advance(Duration.ofSeconds(1));
      twins.project().project(new RunKey(Identity.TENANT_DEFAULT, client.submit()));
    }
    String cursor =
        json(client.get("/v1/runs", Map.of("limit", "1"))).path("next_cursor").textValue();

    assertEquals(200, client.get("/v1/runs", Map.of("cursor", cursor)).getStatusCode());
    for (Map<String, String> query :
        List.of(
            Map.of("cursor", cursor.substring(1)),
            Map.of("cursor", cursor + "A"),
            Map.of("cursor", "A" + cursor.substring(1)),
            Map.of("cursor", cursor, "agent", "echo"),
            Map.of("cursor", ""),
            Map.of("cursor", "😀"),
            Map.of("cursor", "x".repeat(65_536)))) {
      APIGatewayProxyResponseEvent response = client.get("/v1/runs", query);
      assertEquals(400, response.getStatusCode());
      assertEquals("invalid_cursor", json(response).path("code").textValue());
    }
  }

  @Test
  void cancelsARun() {
    String id = client.submit();
    APIGatewayProxyResponseEvent response =
        client.call(post("/v1/runs/" + id + "/cancel", "{\"reason\":\"enough\"}"));

    assertEquals(202, response.getStatusCode());
    assertEquals("cancelling", json(response).path("status").textValue());
    assertEquals(202, client.call(request("POST", "/v1/runs/" + id + "/cancel")).getStatusCode());
    twins.advance().advance(new RunKey(Identity.TENANT_DEFAULT, id));
    APIGatewayProxyResponseEvent late = client.call(request("POST", "/v1/runs/" + id + "/cancel"));
    assertEquals(409, late.getStatusCode());
    assertEquals("run_closed", json(late).path("code").textValue());
  }

  @Test
  void showsAgentsWithTheirSchemas() {
    JsonNode list = json(client.get("/v1/agents"));

    List<String> kinds = list.path("agents").findValuesAsText("kind");
    assertEquals(twins.catalog.all().stream().map(agent -> agent.kind().name()).toList(), kinds);
    JsonNode echo = json(client.get("/v1/agents/echo"));
    assertEquals(list.path("agents").path(kinds.indexOf("echo")), echo);
    assertTrue(echo.at("/extensions/properties/backend.echo.events").isObject());
    assertTrue(list.at("/agents/0/capabilities").size() > 10);
    assertEquals(Release.number(), list.at("/stack/release").textValue());
    assertEquals(RunForm.CURRENT, list.at("/stack/form").intValue());
  }

  @ParameterizedTest
  @CsvSource({
    "GET,/,404,not_found",
    "GET,/v1,404,not_found",
    "GET,/v2/runs,404,not_found",
    "GET,/v1/runs/,404,run_not_found",
    "GET,/v1/runs/nonsense,404,run_not_found",
    "GET,/v1/runs/..,404,run_not_found",
    "GET,/v1/runs/019C0000-0000-7000-8000-000000000000,404,run_not_found",
    "GET,/v1/runs/019c0000-0000-7000-8000-000000000000,404,run_not_found",
    "POST,/v1/runs/019c0000-0000-7000-8000-000000000000/cancel,404,run_not_found",
    "POST,/v1/runs/nonsense/cancel,404,run_not_found",
    "GET,/v1/runs/019c0000-0000-7000-8000-000000000000/other,404,not_found",
    "GET,/v1/agents/gpt,404,unknown_backend",
    "GET,/v1/agents/%00,404,unknown_backend",
    "DELETE,/v1/runs,405,method_not_allowed",
    "PUT,/v1/runs/019c0000-0000-7000-8000-000000000000,405,method_not_allowed",
    "GET,/v1/runs/019c0000-0000-7000-8000-000000000000/cancel,405,method_not_allowed",
    "POST,/v1/agents,405,method_not_allowed"
  })
  void answersProblemsElsewhere(String method, String path, int status, String code) {
    APIGatewayProxyResponseEvent response = client.call(request(method, path));

    assertProblem(response, status, code);
    assertEquals(status == 405, response.getHeaders().containsKey("Allow"));
  }

  @Test
  void saysWhenAPortDoesNotAnswer() {
    twins.log.begin(new PortUnavailable("the table at 10.0.0.1 timed out"));

    APIGatewayProxyResponseEvent response = client.call(post("/v1/runs", Client.ECHO));

    assertProblem(response, 503, "unavailable");
    assertEquals("1", header(response, "Retry-After"));
    assertFalse(response.getBody().contains("10.0.0.1"));
  }

  @Test
  void leaksNothingOfAnUnexpectedFailure() {
    twins.log.begin(new IllegalStateException("s3cret in " + Client.ECHO));

    APIGatewayProxyResponseEvent response = client.call(post("/v1/runs", Client.ECHO));

    assertProblem(response, 500, "internal_error");
    assertFalse(response.getBody().contains("s3cret"));
    assertFalse(twins.logged().contains("s3cret"));
    assertTrue(twins.logged().contains("java.lang.IllegalStateException"));
    assertTrue(twins.logged().contains(header(response, "X-Request-Id")));
  }

  @Test
  void keepsARunWhoseMessageCouldNotBeSent() {
    String id = client.submit();

    assertEquals(200, client.get("/v1/runs/" + id).getStatusCode());
    assertFalse(twins.logged().contains("\"hi\""));
  }

  @Test
  void namesEveryRequest() {
    var context = new ProxyRequestContext().withRequestId("gateway-1");
    Map<String, String> own = Map.of("x-request-id", "mine-1");
    Map<String, String> odd = Map.of("X-Request-Id", "a\r\nSet-Cookie: b");

    assertEquals(
        "mine-1",
        requestId(request("GET", "/v1/agents").withHeaders(own).withRequestContext(context)));
    assertEquals(
        "gateway-1",
        requestId(request("GET", "/v1/agents").withHeaders(odd).withRequestContext(context)));
    assertNotEquals(
        requestId(request("GET", "/v1/agents")), requestId(request("GET", "/v1/agents")));
  }

  @Test
  void warmingUpChangesNothing() {
    twins.running();
    int before = twins.events.changes(0).size();
    client.warmUp();

    assertEquals(before, twins.events.changes(0).size());
    assertEquals(1, twins.queue.runs().size());
    assertFalse(twins.logged().contains("internal_error"));
  }

  @Test
  void takesABase64Body() {
    String body = Base64.getEncoder().encodeToString(Client.ECHO.getBytes(StandardCharsets.UTF_8));

    assertEquals(
        202, client.call(post("/v1/runs", body).withIsBase64Encoded(true)).getStatusCode());
    assertProblem(
        client.call(post("/v1/runs", "%%%").withIsBase64Encoded(true)), 400, "malformed_json");
  }

  private String requestId(APIGatewayProxyRequestEvent request) {
    return header(client.call(request), "X-Request-Id");
  }

  private static String header(APIGatewayProxyResponseEvent response, String name) {
    return response.getHeaders().getOrDefault(name, "");
  }

  private static void assertProblem(
      APIGatewayProxyResponseEvent response, int status, String code) {
    assertEquals(status, response.getStatusCode());
    assertEquals("application/problem+json", header(response, "Content-Type"));
    JsonNode problem = json(response);
    assertEquals(code, problem.path("code").textValue());
    assertEquals(status, problem.path("status").intValue());
    for (String member : List.of("type", "title", "detail", "category", "errors")) {
      assertTrue(problem.has(member), member);
    }
  }
}
