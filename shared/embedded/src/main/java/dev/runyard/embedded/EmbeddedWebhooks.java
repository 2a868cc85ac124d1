package dev.runyard.embedded;

import dev.runyard.core.webhook.Deliveries;
import dev.runyard.core.webhook.EventBus;
import dev.runyard.core.webhook.WebhookPorts;
import dev.runyard.core.webhook.Webhooks;
import java.util.Optional;

/// The ports of webhooks on a store.
///
/// @param file stands for the bus
record EmbeddedWebhooks(
    Webhooks registered, Deliveries deliveries, DeliveryMessages queue, FileEventBus file)
    implements WebhookPorts {
  @Override
  public Optional<EventBus> bus() {
    return Optional.of(file);
  }
}
