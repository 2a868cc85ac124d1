package dev.runyard.functions.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import dev.runyard.core.access.StreamToken;
import dev.runyard.functions.Twins;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// What web pages may do.
final class PagesOfOthersTest {
  private static final String LISTED = "https://app.example.com";

  private final Twins twins = new Twins();
  private final Client client = new Client(twins);

  @Test
  void aListedPageReadsEveryAnswerAlsoARefusal() {
    for (String path : List.of("/v1/runs", "/v1/runs/none", "/nowhere", "/ping", "/agents/none")) {
      APIGatewayProxyResponseEvent answer = from(LISTED, Client.request("GET", path));
      assertEquals(LISTED, answer.getHeaders().get("Access-Control-Allow-Origin"), path);
      assertTrue(
          answer
              .getHeaders()
              .getOrDefault("Access-Control-Expose-Headers", "")
              .contains("Location"),
          path);
      assertEquals("Origin", answer.getHeaders().get("Vary"), path);
      assertNull(answer.getHeaders().get("Access-Control-Allow-Credentials"), path);
    }
  }

  @Test
  void aPageOfAnotherOriginStartsNothing() {
    APIGatewayProxyResponseEvent answer =
        from("https://evil.example", Client.post("/v1/runs", Client.ECHO));
    assertEquals(403, answer.getStatusCode());
    assertEquals("forbidden_origin", Client.json(answer).path("code").asText());
    assertNull(answer.getHeaders().get("Access-Control-Allow-Origin"));
    assertTrue(Client.json(client.get("/v1/runs")).path("runs").isEmpty());
  }

  @Test
  void aPageOfTheApisOwnOriginMay() {
    APIGatewayProxyRequestEvent request = Client.request("GET", "/v1/runs");
    request.setHeaders(
        Map.of(
            "origin", "https://api.example.com",
            "host", "api.example.com",
            "x-forwarded-proto", "https"));
    assertEquals(200, client.call(request).getStatusCode());
  }

  @Test
  void issuesATokenForOneRunAndKeepsItsHashAlone() {
    String run = client.submit();
    APIGatewayProxyResponseEvent answer =
        client.call(Client.request("POST", "/v1/runs/" + run + "/stream-tokens"));
    assertEquals(201, answer.getStatusCode(), answer.getBody());
    String token = Client.json(answer).path("token").asText();
    assertEquals("2026-03-01T12:15:00Z", Client.json(answer).path("expires_at").asText());
    StreamToken kept = StreamToken.hash(token).flatMap(twins.streamTokens::find).orElseThrow();
    assertTrue(kept.opens(run, twins.clock.instant()));
    assertEquals("client", kept.actor());
    assertFalse(twins.logged().contains(token), twins.logged());
  }

  @Test
  void issuesNoneForWhatIsNotThere() {
    String none = "0195a000-0000-7000-8000-000000000000";
    for (String id : List.of(none, "x")) {
      APIGatewayProxyResponseEvent answer =
          client.call(Client.request("POST", "/v1/runs/" + id + "/stream-tokens"));
      assertEquals(404, answer.getStatusCode(), id);
    }
    String run = client.submit();
    assertEquals(
        400,
        client
            .call(Client.post("/v1/runs/" + run + "/stream-tokens", "{\"x\":1}"))
            .getStatusCode());
  }

  private APIGatewayProxyResponseEvent from(String origin, APIGatewayProxyRequestEvent request) {
    Map<String, String> headers = new HashMap<>();
    if (request.getHeaders() != null) {
      headers.putAll(request.getHeaders());
    }
    headers.put("Origin", origin);
    return client.call(request.withHeaders(headers));
  }
}
