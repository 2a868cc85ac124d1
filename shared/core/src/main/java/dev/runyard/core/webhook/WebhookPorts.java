package dev.runyard.core.webhook;

/// The ports of webhooks.
public interface WebhookPorts {
  Webhooks registered();

  Deliveries deliveries();

  DeliveryQueue queue();
}
