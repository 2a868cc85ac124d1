package dev.runyard.functions.manage;

import static dev.runyard.functions.api.Client.json;
import static dev.runyard.functions.api.Client.post;
import static dev.runyard.functions.api.Client.request;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.access.Identity;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.webhook.DeliveryKey;
import dev.runyard.core.webhook.ManageWebhooks;
import dev.runyard.core.webhook.WebhookSecret;
import dev.runyard.core.webhook.WebhookSender;
import dev.runyard.functions.Twins;
import dev.runyard.functions.api.Client;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class WebhooksApiTest {
  private static final String SECRET = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";

  private final Twins twins = new Twins();
  private final Client client = new Client(twins);

  @Test
  void showsTheSecretOnceAndTheWebhookAsOftenAsAsked() {
    APIGatewayProxyResponseEvent answer = create("\"run.completed\",\"run.failed\"");
    JsonNode made = json(answer);
    String id = made.path("webhook_id").asText();

    assertEquals(201, answer.getStatusCode(), answer.getBody());
    assertEquals("/v1/webhooks/" + id, answer.getHeaders().get("Location"));
    assertTrue(WebhookSecret.bytes(made.path("secret").asText()).isPresent());
    assertTrue(made.path("enabled").asBoolean());
    JsonNode shown = json(client.get("/v1/webhooks/" + id));
    assertEquals("https://hooks.example.com/", shown.path("url").asText());
    assertEquals(2, shown.path("events").size());
    assertTrue(shown.path("secret").isMissingNode());
    APIGatewayProxyResponseEvent list = client.get("/v1/webhooks");
    assertEquals(1, json(list).path("webhooks").size());
    assertFalse(list.getBody().contains("whsec_"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | invalid_request",
        "{ | malformed_json",
        "{\"url\":\"https://a.example/\"} | invalid_request",
        "{\"url\":\"https://a.example/\",\"events\":[]} | invalid_request",
        "{\"url\":\"https://a.example/\",\"events\":[\"run.started\"]} | invalid_request",
        "{\"url\":\"https://a.example/\",\"events\":[\"webhook.ping\"]} | invalid_request",
        "{\"url\":\"https://a.example/\",\"events\":\"run.failed\"} | invalid_request",
        "{\"url\":\"http://a.example/\",\"events\":[\"run.failed\"]} | invalid_request",
        "{\"url\":\"https://10.0.0.1/\",\"events\":[\"run.failed\"]} | invalid_request",
        "{\"url\":1,\"events\":[\"run.failed\"]} | invalid_request",
        "{\"url\":\"https://a.example/\",\"events\":[\"run.failed\"],\"tenant\":\"b\"}"
            + " | invalid_request",
        "{\"url\":\"https://a.example/\",\"events\":[\"run.failed\"],\"secret\":\"s\"}"
            + " | invalid_request"
      })
  void refusesWhatIsNoWebhook(String body, String code) {
    assertRefused(400, code, client.call(post("/v1/webhooks", body)));
  }

  @Test
  void makesOneForAKeyAndShowsItsSecretAgain() {
    String body = "{\"url\":\"https://hooks.example.com/\",\"events\":[\"run.failed\"]}";
    APIGatewayProxyResponseEvent first = keyed("k", body);
    APIGatewayProxyResponseEvent again = keyed("k", body);

    assertEquals(201, again.getStatusCode());
    assertEquals(first.getBody(), again.getBody());
    assertEquals(1, json(client.get("/v1/webhooks")).path("webhooks").size());
    assertNotEquals(first.getBody(), keyed("other", body).getBody());
    assertRefused(422, "idempotency_mismatch", keyed("k", body.replace("failed", "lost")));
    assertRefused(400, "invalid_request", keyed("\"", body));
  }

  private APIGatewayProxyResponseEvent keyed(String key, String body) {
    return client.call(
        request("POST", "/v1/webhooks")
            .withHeaders(Map.of("Content-Type", "application/json", "Idempotency-Key", key))
            .withBody(body));
  }

  @Test
  void changesWhatIsNamed() {
    String id = made();
    JsonNode changed = json(patch(id, "{\"description\":\"mine\",\"enabled\":false}"));

    assertEquals("mine", changed.path("description").asText());
    assertEquals("requested", changed.at("/disabled/cause").asText());
    assertEquals("https://hooks.example.com/", changed.path("url").asText());
    assertRefused(
        409, "webhook_disabled", client.call(request("POST", "/v1/webhooks/" + id + "/ping")));
    changed = json(patch(id, "{\"enabled\":true,\"events\":[\"run.lost\"]}"));
    assertTrue(changed.path("disabled").isNull());
    assertEquals("run.lost", changed.at("/events/0").asText());
    assertRefused(400, "invalid_request", patch(id, "{\"url\":\"https://127.0.0.1/\"}"));
    assertRefused(404, "webhook_not_found", patch("wh_0123456789abcdef", "{}"));
  }

  @Test
  void rotatesDeletesAndBoundsTheirNumber() {
    JsonNode made = json(create("\"run.failed\""));
    String id = made.path("webhook_id").asText();
    APIGatewayProxyResponseEvent rotated =
        client.call(request("POST", "/v1/webhooks/" + id + "/rotate"));
    assertEquals(200, rotated.getStatusCode());
    assertNotEquals(made.path("secret").asText(), json(rotated).path("secret").asText());
    assertRefused(
        400,
        "invalid_request",
        client.call(post("/v1/webhooks/" + id + "/rotate", "{\"overlap_seconds\":-1}")));

    for (int i = 1; i < ManageWebhooks.WEBHOOKS_MAX; i++) {
      assertEquals(201, create("\"run.failed\"").getStatusCode());
    }
    assertRefused(409, "webhooks_full", create("\"run.failed\""));
    assertEquals(204, client.call(request("DELETE", "/v1/webhooks/" + id)).getStatusCode());
    assertRefused(404, "webhook_not_found", client.call(request("DELETE", "/v1/webhooks/" + id)));
    assertRefused(404, "webhook_not_found", client.get("/v1/webhooks/" + id));
    assertRefused(404, "webhook_not_found", client.get("/v1/webhooks/" + id + "/deliveries"));
    assertEquals(201, create("\"run.failed\"").getStatusCode());
  }

  @Test
  void logsDeliveriesInPagesAndSendsThemAgain() {
    String id = made();
    for (int i = 0; i < 3; i++) {
      RunKey run = twins.running();
      twins.complete(run);
      twins.project().project(run);
    }
    drain(new WebhookSender.Answer.None(WebhookSender.Trouble.NAME_UNKNOWN));
    String path = "/v1/webhooks/" + id + "/deliveries";

    JsonNode page = json(client.get(path, Map.of("limit", "2")));
    assertEquals(2, page.path("deliveries").size());
    JsonNode first = page.at("/deliveries/0");
    assertEquals("waiting", first.path("state").asText());
    assertEquals("name_unknown", first.at("/tries/0/outcome").asText());
    assertTrue(first.path("body").asText().startsWith("{\"type\":\"run.completed\""));
    JsonNode rest = json(client.get(path, Map.of("cursor", page.path("next_cursor").asText())));
    assertEquals(1, rest.path("deliveries").size());
    assertTrue(rest.path("next_cursor").isNull());
    assertRefused(400, "invalid_cursor", client.get(path, Map.of("cursor", "x")));

    String delivery = first.path("delivery_id").asText();
    assertEquals(
        202, client.call(request("POST", path + "/" + delivery + "/redeliver")).getStatusCode());
    drain(new WebhookSender.Answer.Status(200, Optional.empty()));
    JsonNode again = json(client.get(path, Map.of("limit", "1"))).at("/deliveries/0");
    assertEquals("delivered", again.path("state").asText());
    assertEquals(2, again.path("tries").size());
    assertRefused(404, "delivery_not_found", client.call(request("POST", path + "/x/redeliver")));
    assertRefused(
        404,
        "delivery_not_found",
        client.call(request("POST", path + "/msg_" + "0".repeat(44) + "/redeliver")));
  }

  @Test
  void pingsInTheBackground() {
    String id = made();
    APIGatewayProxyResponseEvent answer =
        client.call(request("POST", "/v1/webhooks/" + id + "/ping"));

    assertEquals(202, answer.getStatusCode());
    assertEquals("webhook.ping", json(answer).path("event").asText());
    assertTrue(json(answer).path("run_id").isNull());
    assertEquals(1, drain(new WebhookSender.Answer.Status(200, Optional.empty())));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"url\":\"http://a.example/\",\"secret\":\"" + SECRET + "\"} | /webhook/url",
        "{\"url\":\"https://a.example/\"} | /webhook/secret",
        "{\"url\":\"https://a.example/\",\"secret\":\"whsec_c2hvcnQ=\"} | /webhook/secret",
        "{\"url\":\"https://a.example/\",\"secret\":\"hunter2\"} | /webhook/secret",
        "{\"url\":\"https://a.example/\",\"secret\":\""
            + SECRET
            + "\",\"events\":[\"x\"]} | /webhook/events/0",
        "{\"url\":\"https://a.example/\",\"secret\":\"" + SECRET + "\",\"x\":1} | /webhook/x",
        "7 | /webhook"
      })
  void queuesNoRunWhoseWebhookIsNone(String webhook, String pointer) {
    APIGatewayProxyResponseEvent answer =
        client.call(
            post("/v1/runs", "{\"agent\":\"echo\",\"prompt\":\"hi\",\"webhook\":" + webhook + "}"));
    assertRefused(400, "invalid_request", answer);
    assertEquals(pointer, json(answer).at("/errors/0/pointer").asText(), answer.getBody());
    assertEquals(0, twins.queue.runs().size());
    assertFalse(answer.getBody().contains("hunter2"));
  }

  @Test
  void tellsTheWebhookOfARunAndShowsItsSecretToNobody() {
    APIGatewayProxyResponseEvent made =
        client.call(
            post(
                "/v1/runs",
                "{\"agent\":\"echo\",\"prompt\":\"hi\",\"session_id\":\"019c0000-0000-7000-8000-000000000009\",\"webhook\":{\"url\":\"https://a.example/\",\"secret\":\""
                    + SECRET
                    + "\"}}"));
    String run = json(made).path("run_id").asText();
    RunKey key = new RunKey(Identity.TENANT_DEFAULT, run);
    twins.cancel().cancel(key, "enough", "client");
    twins.advance().advance(key);
    twins.project().project(key);

    assertEquals(1, drain(new WebhookSender.Answer.Status(200, Optional.empty())));
    APIGatewayProxyResponseEvent log = client.get("/v1/webhooks/" + run + "/deliveries");
    assertEquals("run.cancelled", json(log).at("/deliveries/0/event").asText());
    assertFalse(log.getBody().contains(SECRET));
    assertFalse(made.getBody().contains(SECRET));
    for (String path :
        List.of(
            "/v1/runs",
            "/v1/runs/" + run,
            "/v1/runs/" + run + "/actions",
            "/v1/runs/" + run + "/chunks",
            "/runs/" + run,
            "/session/019c0000-0000-7000-8000-000000000009")) {
      APIGatewayProxyResponseEvent answer = client.get(path);
      assertEquals(200, answer.getStatusCode(), path);
      assertFalse(answer.getBody().contains(SECRET), path);
    }
  }

  private int drain(WebhookSender.Answer answer) {
    int handled = 0;
    for (Optional<DeliveryKey> next = twins.webhookPorts().take();
        next.isPresent();
        next = twins.webhookPorts().take()) {
      twins.deliver(_ -> answer).deliver(next.get());
      handled++;
    }
    return handled;
  }

  private String made() {
    return json(create("\"run.completed\"")).path("webhook_id").asText();
  }

  private APIGatewayProxyResponseEvent create(String events) {
    return client.call(
        post(
            "/v1/webhooks",
            "{\"url\":\"https://hooks.example.com/\",\"events\":[" + events + "]}"));
  }

  private APIGatewayProxyResponseEvent patch(String id, String body) {
    return client.call(
        request("PATCH", "/v1/webhooks/" + id)
            .withHeaders(Map.of("Content-Type", "application/json"))
            .withBody(body));
  }

  private static void assertRefused(int status, String code, APIGatewayProxyResponseEvent answer) {
    assertEquals(status, answer.getStatusCode(), answer.getBody());
    assertEquals(code, json(answer).path("code").asText());
  }
}
