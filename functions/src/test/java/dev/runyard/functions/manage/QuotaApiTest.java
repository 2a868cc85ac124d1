package dev.runyard.functions.manage;

import static dev.runyard.functions.api.Client.json;
import static dev.runyard.functions.api.Client.post;
import static dev.runyard.functions.api.Client.request;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.quota.Quotas;
import dev.runyard.core.secret.Fetched;
import dev.runyard.core.usage.Usage;
import dev.runyard.functions.Twins;
import dev.runyard.functions.api.Client;
import dev.runyard.functions.api.Signed;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class QuotaApiTest {
  private static final Quotas LIMITED =
      Quotas.parse(
          """
          {"default": {"minute_submits_max": 10, "open_runs_max": 2, "running_runs_max": 1,
            "timeout_seconds_max": 600, "day_cost_usd_max": 0.5, "uploads_max": 1}}
          """);

  private final Twins twins = new Twins(LIMITED);
  private final Client client = new Client(twins);

  @Test
  void tellsLimitsAndWhatIsUsed() {
    RunKey run = twins.running();
    twins.report(run, new RunEvent.CostRecorded(new Usage(12, 0, 3, 0, 0.25), null));
    twins.complete(run);
    twins.submitted("s-2");
    twins.kept().add("default", 7);

    JsonNode json = json(client.get("/v1/quota"));

    assertEquals("default", json.path("tenant").textValue());
    assertEquals(2, json.at("/limits/open_runs_max").intValue());
    assertEquals(0.5, json.at("/limits/day_cost_usd_max").doubleValue());
    assertTrue(json.at("/limits/attempts_max").isNull(), "has none");
    assertEquals(256L << 30, json.at("/limits/kept_bytes_max").longValue(), "a stack's own");
    assertEquals(
        "{\"minute_submits\":2,\"open_runs\":1,\"running_runs\":1,\"day_tokens\":15,"
            + "\"day_cost_usd\":0.25,\"kept_bytes\":7,\"uploads\":0}",
        json.path("used").toString());
  }

  @Test
  void tellsNothingOfWhatIsNotCounted() {
    JsonNode used = json(new Client(new Twins()).get("/v1/quota")).path("used");

    assertTrue(used.path("open_runs").isNull() && used.path("day_tokens").isNull(), used::toString);
  }

  @Test
  void refusesWithTheLimitItsValueAndWhenToComeBack() {
    client.submit();
    client.submit();

    APIGatewayProxyResponseEvent refused = client.call(post("/v1/runs", Client.ECHO));

    assertEquals(429, refused.getStatusCode());
    assertEquals("application/problem+json", refused.getHeaders().get("Content-Type"));
    assertEquals("30", refused.getHeaders().get("Retry-After"));
    assertEquals("quota_reached", json(refused).path("code").textValue());
    assertEquals("open_runs_max", json(refused).path("limit").textValue());
    assertEquals(2, json(refused).path("value").intValue());
  }

  @Test
  void refusesWhatIsAboveACeilingForGood() {
    APIGatewayProxyResponseEvent refused =
        client.call(
            post("/v1/runs", "{\"agent\":\"echo\",\"prompt\":\"hi\",\"timeout_seconds\":601}"));

    assertEquals(403, refused.getStatusCode());
    assertNull(refused.getHeaders().get("Retry-After"));
    assertEquals("above_ceiling", json(refused).path("code").textValue());
    assertEquals("/timeout_seconds", json(refused).at("/errors/0/pointer").textValue());
    assertEquals(600, json(refused).path("value").intValue());
  }

  @Test
  void aRepeatIsAnsweredThoughThereIsNoRoom() {
    Map<String, String> headers =
        Map.of("Content-Type", "application/json", "Idempotency-Key", "\"k\"");
    var first = client.call(request("POST", "/v1/runs").withHeaders(headers).withBody(Client.ECHO));
    client.submit();

    var again = client.call(request("POST", "/v1/runs").withHeaders(headers).withBody(Client.ECHO));

    assertEquals(202, again.getStatusCode());
    assertEquals(first.getBody(), again.getBody());
  }

  @Test
  void asksForADeliveryAgainWhileTheTenantHasUsedWhatItMay() {
    twins.hookSecrets.put("GITHUB", new Fetched.Value("key-of-the-github-hook"));
    String path =
        "/v1/hooks/"
            + json(client.call(
                    post(
                        "/v1/hooks",
                        "{\"name\":\"h\",\"sender\":\"github\",\"secret\":\"GITHUB\","
                            + "\"run\":{\"agent\":\"echo\",\"prompt\":\"hi\"}}")))
                .path("hook_id")
                .textValue();
    assertEquals(202, deliver(path, 1).getStatusCode());
    assertEquals(202, deliver(path, 2).getStatusCode());
    APIGatewayProxyResponseEvent refused = deliver(path, 3);

    assertEquals(429, refused.getStatusCode());
    assertEquals("quota_reached", json(refused).path("code").textValue());
    assertEquals(2, twins.events.streams().size());
  }

  private APIGatewayProxyResponseEvent deliver(String path, int number) {
    String body = "{\"number\":%d}".formatted(number);
    return client.call(
        post(path, body)
            .withHeaders(
                Signed.headers("d-" + number, Signed.signature("key-of-the-github-hook", body))));
  }
}
