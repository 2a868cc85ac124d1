package dev.runyard.core.memory;

import dev.runyard.core.webhook.Deliveries;
import dev.runyard.core.webhook.Delivery;
import dev.runyard.core.webhook.DeliveryKey;
import dev.runyard.core.webhook.DeliveryQueue;
import dev.runyard.core.webhook.EventBus;
import dev.runyard.core.webhook.WebhookPorts;
import dev.runyard.core.webhook.Webhooks;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The ports of webhooks in memory.
public final class MemoryWebhookPorts implements WebhookPorts {
  private final InstantSource clock;
  private final Map<String, Webhooks.Registered> registered = new HashMap<>();
  private final Map<DeliveryKey, Delivery> deliveries = new HashMap<>();
  private final List<Message> messages = new ArrayList<>();
  private volatile @Nullable EventBus bus;

  public MemoryWebhookPorts(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public Webhooks registered() {
    return new Tenants();
  }

  @Override
  public Deliveries deliveries() {
    return new Log();
  }

  @Override
  public DeliveryQueue queue() {
    return (delivery, delaySeconds) -> {
      synchronized (messages) {
        messages.add(new Message(delivery, clock.instant().plusSeconds(delaySeconds)));
      }
    };
  }

  @Override
  public Optional<EventBus> bus() {
    return Optional.ofNullable(bus);
  }

  /// Has or removes a bus.
  public void setBus(@Nullable EventBus other) {
    bus = other;
  }

  /// Takes the message that has been visible longest.
  public Optional<DeliveryKey> take() {
    synchronized (messages) {
      Optional<Message> first =
          messages.stream()
              .filter(message -> !message.visibleAt().isAfter(clock.instant()))
              .min(Comparator.comparing(Message::visibleAt));
      first.ifPresent(messages::remove);
      return first.map(Message::delivery);
    }
  }

  private record Message(DeliveryKey delivery, Instant visibleAt) {}

  private final class Tenants implements Webhooks {
    @Override
    public Registered read(String tenant) {
      synchronized (registered) {
        return registered.getOrDefault(tenant, Registered.NONE);
      }
    }

    @Override
    public boolean write(String tenant, Registered next) {
      synchronized (registered) {
        if (read(tenant).version() != next.version()) {
          return false;
        }
        registered.put(tenant, new Registered(next.version() + 1, next.webhooks()));
        return true;
      }
    }
  }

  private final class Log implements Deliveries {
    @Override
    public boolean add(Delivery delivery) {
      synchronized (deliveries) {
        return deliveries.putIfAbsent(delivery.key(), delivery.stored()) == null;
      }
    }

    @Override
    public Optional<Delivery> find(DeliveryKey key) {
      synchronized (deliveries) {
        return Optional.ofNullable(deliveries.get(key));
      }
    }

    @Override
    public boolean update(Delivery next) {
      synchronized (deliveries) {
        if (find(next.key()).filter(there -> there.version() == next.version()).isEmpty()) {
          return false;
        }
        deliveries.put(next.key(), next.stored());
        return true;
      }
    }

    @Override
    public List<Delivery> list(String tenant, String webhookId, int limit, Optional<String> after) {
      synchronized (deliveries) {
        return deliveries.values().stream()
            .filter(delivery -> delivery.key().tenant().equals(tenant))
            .filter(delivery -> delivery.key().webhookId().equals(webhookId))
            .filter(delivery -> after.isEmpty() || delivery.key().id().compareTo(after.get()) < 0)
            .sorted(Comparator.comparing((Delivery delivery) -> delivery.key().id()).reversed())
            .limit(limit)
            .toList();
      }
    }

    @Override
    public List<DeliveryKey> due(int shard, Instant now, int limit) {
      synchronized (deliveries) {
        return deliveries.values().stream()
            .filter(delivery -> Deliveries.shardOf(delivery.key()) == shard)
            .filter(delivery -> delivery.dueAt() != null && !delivery.dueAt().isAfter(now))
            .sorted(Comparator.comparing(delivery -> Objects.requireNonNull(delivery.dueAt())))
            .limit(limit)
            .map(Delivery::key)
            .toList();
      }
    }
  }
}
