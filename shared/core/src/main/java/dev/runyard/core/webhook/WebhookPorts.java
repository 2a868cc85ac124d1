package dev.runyard.core.webhook;

import java.util.Optional;

/// The ports of webhooks.
public interface WebhookPorts {
  Webhooks registered();

  Deliveries deliveries();

  DeliveryQueue queue();

  /// Empty if the stack has none.
  default Optional<EventBus> bus() {
    return Optional.empty();
  }
}
