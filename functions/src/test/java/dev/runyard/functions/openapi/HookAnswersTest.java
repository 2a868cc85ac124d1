package dev.runyard.functions.openapi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.testkit.openapi.Exchange;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Answers that are declared for one operation on webhooks or hooks, or a few.
final class HookAnswersTest {
  private final Situation situation = new Situation();

  @AfterEach
  void close() {
    situation.close();
  }

  @Test
  void aDeliveryOfAWebhookThatIsOffOrGone() throws Exception {
    String webhook = "/v1/webhooks/" + situation.webhook;
    String redeliver = webhook + "/deliveries/" + situation.delivery + "/redeliver";

    assertEquals(202, situation.functions.post(redeliver, "").status());
    assertEquals(200, patch(webhook, "{\"enabled\":false}").status());
    assertEquals("webhook_disabled", situation.functions.post(redeliver, "").code());
    assertEquals(204, situation.functions.ask("DELETE", webhook).status());
    assertEquals("webhook_not_found", situation.functions.post(redeliver, "").code());
  }

  @Test
  void aChangeAfterWhichAHookCouldStartNothing() throws Exception {
    String hook = "/v1/hooks/" + situation.hook;
    Map<String, String> runs =
        Map.of(
            "invalid_agent_kind", "{\"agent\":\"Echo\",\"prompt\":\"hi\"}",
            "unknown_backend", "{\"agent\":\"nobody\",\"prompt\":\"hi\"}",
            "unsupported_capability",
                "{\"agent\":\"echo\",\"prompt\":\"hi\",\"requires\":[\"agent_api.x\"]}");

    for (var run : runs.entrySet()) {
      Exchange refused = patch(hook, "{\"run\":%s}".formatted(run.getValue()));
      assertEquals(run.getKey(), refused.code(), refused.text());
    }
  }

  @Test
  void aMemberThatIsNullIsAbsent() throws Exception {
    String hook = "/v1/hooks/" + situation.hook;

    assertEquals("invalid_request", patch(hook, "{\"other\":null}").code());
    assertEquals(200, patch(hook, "{\"when\":null,\"enabled\":null}").status());
    assertEquals(200, situation.functions.ask("GET", hook).status());
  }

  private Exchange patch(String target, String body) throws Exception {
    return situation.functions.ask(
        "PATCH",
        target,
        Map.of("Content-Type", "application/json"),
        Optional.of(body.getBytes(StandardCharsets.UTF_8)));
  }
}
