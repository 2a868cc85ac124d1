package dev.runyard.core.webhook;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.json.JsonFormat;
import java.io.UncheckedIOException;
import java.time.Instant;

/// The bus of the operator's, such as one of EventBridge, which is told what webhooks of all
/// tenants could be told. Whatever happens, there is an answer in bounded time.
@FunctionalInterface
public interface EventBus {
  /// Stands for the bus where deliveries name a webhook.
  String ID = "bus";

  WebhookSender.Answer publish(Published event);

  /// What the bus is told.
  ///
  /// @param type one of those of webhooks
  /// @param at when it happened
  /// @param detail a JSON object
  record Published(String type, Instant at, String detail) {
    /// What a webhook would be sent, with the members `id`, by which its second copy is known, and
    /// `tenant`.
    static Published of(Delivery delivery) {
      ObjectNode detail = JsonFormat.JSON.createObjectNode();
      detail.put("id", delivery.key().id()).put("tenant", delivery.key().tenant());
      ObjectNode sent = sent(delivery);
      detail.setAll(sent);
      return new Published(
          delivery.event(), Instant.parse(sent.path("timestamp").asText()), detail.toString());
    }

    private static ObjectNode sent(Delivery delivery) {
      try {
        return JsonFormat.JSON.readValue(delivery.body(), ObjectNode.class);
      } catch (JsonProcessingException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
