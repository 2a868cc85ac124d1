package dev.runyard.core.webhook;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.json.JsonFormat;

/// Webhooks and deliveries as clients see them: every member is always present, and none has a
/// secret.
public final class WebhookJson {
  private WebhookJson() {}

  public static ObjectNode of(Webhook webhook) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("webhook_id", webhook.id());
    json.put("url", webhook.url());
    json.put("description", webhook.description());
    webhook.events().forEach(json.putArray("events")::add);
    Webhook.Disabled off = webhook.disabled();
    json.put("enabled", off == null);
    if (off == null) {
      json.putNull("disabled");
    } else {
      json.putObject("disabled")
          .put("cause", off.cause().wire())
          .put("since", JsonFormat.time(off.since()));
    }
    json.put("failing_since", JsonFormat.timeOrNull(webhook.failingSince()));
    json.put("created_at", JsonFormat.time(webhook.createdAt()));
    return json;
  }

  /// The same with its newest secret, which is shown once.
  public static ObjectNode withSecret(Webhook webhook) {
    return of(webhook).put("secret", webhook.secrets().getFirst().text());
  }

  public static ObjectNode of(Delivery delivery) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("delivery_id", delivery.key().id());
    json.put("event", delivery.event());
    json.put("run_id", delivery.runId());
    json.put("state", delivery.state().wire());
    json.put("created_at", JsonFormat.time(delivery.createdAt()));
    json.put("next_try_at", JsonFormat.timeOrNull(delivery.nextAt()));
    ArrayNode tries = json.putArray("tries");
    for (Delivery.Try tried : delivery.log()) {
      tries
          .addObject()
          .put("at", JsonFormat.time(tried.at()))
          .put("status", tried.status())
          .put("outcome", tried.outcome())
          .put("millis", tried.millis());
    }
    json.put("body", delivery.body());
    return json;
  }
}
