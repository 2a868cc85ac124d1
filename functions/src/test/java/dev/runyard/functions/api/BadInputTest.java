package dev.runyard.functions.api;

import static dev.runyard.functions.api.Client.json;
import static dev.runyard.functions.api.Client.request;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import dev.runyard.core.limits.Limits;
import dev.runyard.functions.Twins;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A refused request leaves nothing behind: no event, no message, no bound key.
final class BadInputTest {
  private static final String JSON = "application/json";
  private final Twins twins = new Twins();
  private final Client client = new Client(twins);

  record Bad(int status, String code, Map<String, String> headers, String body) {
    @Override
    public String toString() {
      return status + " " + code + " " + body.substring(0, Math.min(50, body.length()));
    }
  }

  static List<Bad> bad() {
    return List.of(
        body(400, "malformed_json", ""),
        body(400, "malformed_json", "{"),
        body(400, "malformed_json", "\ud800"),
        body(400, "malformed_json", "\u0000"),
        body(400, "malformed_json", "[".repeat(10_000) + "]".repeat(10_000)),
        body(400, "malformed_json", "{\"a\":".repeat(10_000)),
        body(400, "malformed_json", "{\"agent\":\"echo\",\"prompt\":\"hi\",\"prompt\":\"yo\"}"),
        body(400, "malformed_json", "{\"agent\":\"echo\",\"prompt\":\"hi\",\"tags\":{\"a\":NaN}}"),
        body(400, "invalid_request", manyKeys(80_000)),
        body(413, "body_too_large", manyKeys(110_000)),
        body(413, "body_too_large", "x".repeat(10 * 1024 * 1024 + 1)),
        body(413, "body_too_large", " ".repeat(Limits.BODY_BYTES_MAX + 1)),
        body(400, "invalid_request", with("\"tags\":{\"a\":\"\\ud800\"}")),
        body(400, "invalid_request", with("\"\\udfff\":1")),
        body(400, "invalid_request", with("\"tags\":{\"a\":\"\\u0000\"}")),
        body(400, "invalid_request", with("\"timeout_seconds\":9223372036854775808")),
        body(400, "invalid_request", with("\"timeout_seconds\":1e400")),
        body(400, "invalid_request", with("\"timeout_seconds\":-1e400")),
        body(400, "invalid_request", with("\"tenantId\":\"other\"")),
        body(400, "invalid_request", with("\"status\":\"completed\"")),
        body(400, "invalid_request", with("\"cost\":0")),
        body(400, "invalid_request", with("\"epoch\":9")),
        body(400, "invalid_request", with("\"session_id\":\"../x\"")),
        body(400, "invalid_request", with("\"working_dir\":\"../x\"")),
        body(400, "invalid_request", with("\"env\":{\"LD_PRELOAD\":\"/x.so\"}")),
        body(400, "invalid_request", with("\"extensions\":{\"backend.echo.events\":0}")),
        body(400, "unsupported_capability", with("\"extensions\":{\"agent_api.x\":true}")),
        body(400, "unsupported_capability", with("\"requires\":[\"agent_api.x\"]")),
        body(400, "invalid_agent_kind", "{\"agent\":\"Echo!\",\"prompt\":\"hi\"}"),
        body(404, "unknown_backend", "{\"agent\":\"gpt\",\"prompt\":\"hi\"}"),
        body(400, "invalid_request", workspace("{\"session\":true}")),
        body(400, "invalid_request", workspace("{\"run\":\"r1\"}")),
        body(
            404,
            "workspace_not_found",
            workspace("{\"run\":\"00000000-0000-7000-8000-000000000009\"}")),
        body(
            400,
            "invalid_request",
            "{\"agent\":\"echo\",\"prompt\":\"" + "x".repeat(262_145) + "\"}"),
        header(400, "invalid_request", Map.of("Content-Type", JSON, "Idempotency-Key", "")),
        header(400, "invalid_request", Map.of("Content-Type", JSON, "Idempotency-Key", "é")),
        header(
            400,
            "invalid_request",
            Map.of("Content-Type", JSON, "Idempotency-Key", "k".repeat(256))),
        header(415, "unsupported_media_type", Map.of()),
        header(415, "unsupported_media_type", Map.of("Content-Type", "text/plain")),
        header(415, "unsupported_media_type", Map.of("Content-Type", "application/jsonp")),
        header(415, "unsupported_media_type", Map.of("Content-Type", JSON + ";charset=utf-16")));
  }

  @ParameterizedTest
  @MethodSource("bad")
  void leavesNothingBehind(Bad bad) {
    APIGatewayProxyResponseEvent response =
        client.call(request("POST", "/v1/runs").withHeaders(bad.headers()).withBody(bad.body()));

    assertEquals(bad.status(), response.getStatusCode());
    assertEquals(bad.code(), json(response).path("code").textValue());
    assertTrue(twins.events.streams().isEmpty());
    assertTrue(twins.queue.runs().isEmpty());
    Map<String, String> keyed = Map.of("Content-Type", JSON, "Idempotency-Key", "k");
    assertEquals(
        202,
        client
            .call(request("POST", "/v1/runs").withHeaders(keyed).withBody(Client.ECHO))
            .getStatusCode());
  }

  @Test
  void refusedBodiesBindNoKey() {
    Map<String, String> keyed = Map.of("Content-Type", JSON, "Idempotency-Key", "k");
    APIGatewayProxyRequestEvent refused =
        request("POST", "/v1/runs").withHeaders(keyed).withBody(with("\"x\":1"));

    assertEquals(400, client.call(refused).getStatusCode());
    assertEquals(202, client.call(refused.clone().withBody(Client.ECHO)).getStatusCode());
  }

  @Test
  void refusesABadCancel() {
    String id = client.submit();
    int before = twins.events.changes(0).size();
    for (String body : List.of("x", "{\"force\":true}", "{\"reason\":\"\\u0000\"}", "[]")) {
      assertEquals(
          400, client.call(Client.post("/v1/runs/" + id + "/cancel", body)).getStatusCode());
    }
    assertEquals(
        415,
        client.call(request("POST", "/v1/runs/" + id + "/cancel").withBody("{}")).getStatusCode());
    assertEquals(before, twins.events.changes(0).size());
  }

  @Test
  void refusesABadQuery() {
    for (Map<String, String> query :
        List.of(
            Map.of("limit", "0"),
            Map.of("limit", "101"),
            Map.of("limit", "1e1"),
            Map.of("limit", ""),
            Map.of("limit", "99999999999999999999"),
            Map.of("status", "done"),
            Map.of("agent", "Echo"),
            Map.of("session_id", "a/b"),
            Map.of("tenant", "other"))) {
      assertEquals(400, client.get("/v1/runs", query).getStatusCode(), query.toString());
    }
    assertEquals(
        400,
        client
            .call(
                request("GET", "/v1/runs")
                    .withMultiValueQueryStringParameters(Map.of("limit", List.of("1", "2"))))
            .getStatusCode());
  }

  private static Bad body(int status, String code, String body) {
    return new Bad(status, code, Map.of("Content-Type", JSON), body);
  }

  private static Bad header(int status, String code, Map<String, String> headers) {
    return new Bad(status, code, headers, Client.ECHO);
  }

  private static String workspace(String workspace) {
    return "{\"agent\":\"codex\",\"prompt\":\"hi\",\"workspace\":%s}".formatted(workspace);
  }

  private static String with(String member) {
    return "{\"agent\":\"echo\",\"prompt\":\"hi\"," + member + "}";
  }

  private static String manyKeys(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> "\"k%d\":1".formatted(i))
        .collect(Collectors.joining(",", "{", "}"));
  }
}
