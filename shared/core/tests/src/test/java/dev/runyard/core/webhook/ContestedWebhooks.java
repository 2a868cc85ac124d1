package dev.runyard.core.webhook;

import dev.runyard.core.problem.PortUnavailable;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Ports of webhooks where others write first, as often as a test says, and whose queue may be
/// away.
final class ContestedWebhooks implements WebhookPorts {
  private final WebhookPorts ports;

  /// Writes of webhooks that come too late.
  int lateWrites;

  /// Writes of deliveries that come too late.
  int lateUpdates;

  boolean queueIsAway;

  ContestedWebhooks(WebhookPorts ports) {
    this.ports = ports;
  }

  @Override
  public Webhooks registered() {
    Webhooks registered = ports.registered();
    return new Webhooks() {
      @Override
      public Registered read(String tenant) {
        return registered.read(tenant);
      }

      @Override
      public boolean write(String tenant, Registered next) {
        return lateWrites-- <= 0 && registered.write(tenant, next);
      }
    };
  }

  @Override
  public Deliveries deliveries() {
    Deliveries deliveries = ports.deliveries();
    return new Deliveries() {
      @Override
      public boolean add(Delivery delivery) {
        return deliveries.add(delivery);
      }

      @Override
      public Optional<Delivery> find(DeliveryKey key) {
        return deliveries.find(key);
      }

      @Override
      public boolean update(Delivery next) {
        return lateUpdates-- <= 0 && deliveries.update(next);
      }

      @Override
      public List<Delivery> list(
          String tenant, String webhookId, int limit, Optional<String> after) {
        return deliveries.list(tenant, webhookId, limit, after);
      }

      @Override
      public List<DeliveryKey> due(int shard, Instant now, int limit) {
        return deliveries.due(shard, now, limit);
      }
    };
  }

  @Override
  public DeliveryQueue queue() {
    if (queueIsAway) {
      return (_, _) -> {
        throw new PortUnavailable("away");
      };
    }
    return ports.queue();
  }
}
