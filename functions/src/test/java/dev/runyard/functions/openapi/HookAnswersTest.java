package dev.runyard.functions.openapi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.functions.Described;
import dev.runyard.testkit.openapi.DescribedOperation;
import dev.runyard.testkit.openapi.Exchange;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Answers that are declared for one operation on webhooks or hooks, or a few.
final class HookAnswersTest {
  private static final Map<String, String> JSON = Map.of("Content-Type", "application/json");

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
  void thingsThatAreNotThere() throws Exception {
    List<String> wrong = new ArrayList<>();
    for (DescribedOperation operation : Described.API.operations()) {
      String kind = operation.path().replaceAll("/v1/(webhook|hook)s/.*", "$1");
      if (kind.equals("webhook") || kind.equals("hook")) {
        String what = operation.id().equals("redeliver") ? "delivery" : kind;
        for (String id : List.of(Situation.NO_RUN, Situation.NO_HOOK)) {
          Optional<byte[]> body =
              Situation.body(operation).map(text -> text.getBytes(StandardCharsets.UTF_8));
          Exchange exchange =
              situation.functions.ask(
                  operation.method(), Situation.fill(operation, id), JSON, body);
          if (!exchange.code().equals(what + "_not_found")) {
            wrong.add(exchange.toString());
          }
        }
      }
    }

    assertEquals(List.of(), wrong);
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
        "PATCH", target, JSON, Optional.of(body.getBytes(StandardCharsets.UTF_8)));
  }
}
