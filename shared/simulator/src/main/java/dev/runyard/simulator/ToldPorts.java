package dev.runyard.simulator;

import dev.runyard.core.memory.MemoryWebhookPorts;
import dev.runyard.core.webhook.Deliveries;
import dev.runyard.core.webhook.DeliveryQueue;
import dev.runyard.core.webhook.EventBus;
import dev.runyard.core.webhook.WebhookPorts;
import dev.runyard.core.webhook.Webhooks;
import java.util.Optional;

/// The ports of webhooks of a history in which somebody is told.
///
/// @param queue in place of the kept ports' own
record ToldPorts(MemoryWebhookPorts kept, DeliveryQueue queue, EventBus told)
    implements WebhookPorts {
  @Override
  public Webhooks registered() {
    return kept.registered();
  }

  @Override
  public Deliveries deliveries() {
    return kept.deliveries();
  }

  @Override
  public Optional<EventBus> bus() {
    return Optional.of(told);
  }

  /// The same as a caller reaches them. The bus answers by itself, whatever happens.
  WebhookPorts through(FaultyPorts faulty) {
    return new Reached(
        faulty.table(Webhooks.class, registered(), "webhooks"),
        faulty.table(Deliveries.class, deliveries(), "deliveries"),
        faulty.faulty(DeliveryQueue.class, queue, Port.QUEUE, "deliveryqueue"),
        bus());
  }

  /// Ports that were made one by one.
  record Reached(
      Webhooks registered, Deliveries deliveries, DeliveryQueue queue, Optional<EventBus> bus)
      implements WebhookPorts {}
}
