package dev.runyard.simulator;

import dev.runyard.core.access.AccessKey;
import dev.runyard.core.access.Keys;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.quota.Quota;
import dev.runyard.core.quota.QuotaLimit;
import dev.runyard.core.quota.TenantUse;
import dev.runyard.core.quota.TenantUses;
import dev.runyard.core.submit.IdempotencyStore;
import dev.runyard.core.webhook.Deliveries;
import dev.runyard.core.webhook.Delivery;
import dev.runyard.core.webhook.DeliveryKey;
import dev.runyard.core.webhook.DeliveryQueue;
import dev.runyard.core.webhook.EventBus;
import dev.runyard.core.webhook.WebhookPorts;
import dev.runyard.core.webhook.WebhookSender;
import dev.runyard.core.webhook.Webhooks;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Defects of what stands between a system and others.
final class PlantedCallers {
  /// Names the function that takes deliveries to hooks in what it writes.
  static final String HOOKS = "hooks";

  private static final Duration REMEMBERED = Duration.ofSeconds(150);

  private PlantedCallers() {}

  static WebhookSender sender(SimulatedSystem system, WebhookSender receiver) {
    return system.has(Defect.SILENCE_TAKEN_FOR_DELIVERED)
        ? request ->
            switch (receiver.send(request)) {
              case WebhookSender.Answer.None _ ->
                  new WebhookSender.Answer.Status(200, Optional.empty());
              case WebhookSender.Answer.Status status -> status;
            }
        : receiver;
  }

  static Keys accessKeys(SimulatedSystem system, Keys keys) {
    return system.has(Defect.KEY_REMEMBERED_TOO_LONG) || system.has(Defect.UNREAD_KEY_REFUSED)
        ? new PlantedAccess(system, keys)
        : keys;
  }

  static IdempotencyStore keys(Defect defect, IdempotencyStore keys, String writer) {
    return defect == Defect.DELIVERY_NOT_RECOGNISED && writer.equals(HOOKS)
        ? new Forgetful(keys)
        : keys;
  }

  static TenantUses uses(Defect defect, TenantUses uses) {
    return defect == Defect.OPEN_RUNS_NOT_COUNTED ? new Unlimited(uses) : uses;
  }

  static WebhookPorts webhooks(Defect defect, WebhookPorts ports) {
    return switch (defect) {
      case UNKEPT_DELIVERY_PASSED_OVER, DELIVERY_TOLD_BY_TIME, DUE_DELIVERIES_NOT_SWEPT ->
          new PlantedWebhooks(defect, ports);
      case Defect _ -> ports;
    };
  }

  private record PlantedWebhooks(Defect defect, WebhookPorts ports) implements WebhookPorts {
    @Override
    public Webhooks registered() {
      return ports.registered();
    }

    @Override
    public Deliveries deliveries() {
      return new PlantedDeliveries(defect, ports.deliveries());
    }

    @Override
    public DeliveryQueue queue() {
      return ports.queue();
    }

    @Override
    public Optional<EventBus> bus() {
      return ports.bus();
    }
  }

  private record PlantedDeliveries(Defect defect, Deliveries kept) implements Deliveries {
    @Override
    public boolean add(Delivery delivery) {
      if (defect == Defect.DELIVERY_TOLD_BY_TIME) {
        return kept.add(renamed(delivery));
      }
      try {
        return kept.add(delivery);
      } catch (PortUnavailable e) {
        if (defect == Defect.UNKEPT_DELIVERY_PASSED_OVER) {
          return false;
        }
        throw e;
      }
    }

    /// An id that follows from when it is told.
    private static Delivery renamed(Delivery first) {
      DeliveryKey key = first.key();
      String id = key.id().substring(0, 36) + "%012x".formatted(first.createdAt().toEpochMilli());
      return new Delivery(
          new DeliveryKey(key.tenant(), key.webhookId(), id),
          first.event(),
          first.runId(),
          first.body(),
          first.createdAt(),
          first.target(),
          first.state(),
          first.tries(),
          first.nextAt(),
          first.dueAt(),
          first.log(),
          first.version());
    }

    @Override
    public Optional<Delivery> find(DeliveryKey key) {
      return kept.find(key);
    }

    @Override
    public boolean update(Delivery next) {
      return kept.update(next);
    }

    @Override
    public List<Delivery> list(String tenant, String webhookId, int limit, Optional<String> after) {
      return kept.list(tenant, webhookId, limit, after);
    }

    @Override
    public List<DeliveryKey> due(int shard, Instant now, int limit) {
      return defect == Defect.DUE_DELIVERIES_NOT_SWEPT ? List.of() : kept.due(shard, now, limit);
    }
  }

  private record Forgetful(IdempotencyStore keys) implements IdempotencyStore {
    @Override
    public Binding bind(Claim claim) {
      return new Binding.Fresh();
    }

    @Override
    public Optional<String> find(String tenant, String key, Instant now) {
      return keys.find(tenant, key, now);
    }
  }

  private record Unlimited(TenantUses uses) implements TenantUses {
    @Override
    public TenantUse read(String tenant) {
      return uses.read(tenant);
    }

    @Override
    public Map<String, TenantUse> all() {
      return uses.all();
    }

    @Override
    public Optional<QuotaLimit> admit(RunKey run, Quota quota, Instant now) {
      return Optional.empty();
    }

    @Override
    public boolean place(RunKey run, long most) {
      return uses.place(run, most);
    }

    @Override
    public void free(RunKey run, Optional<Ended> ended) {
      uses.free(run, ended);
    }
  }

  private static final class PlantedAccess implements Keys {
    private final SimulatedSystem system;
    private final Keys keys;
    private final Map<String, AccessKey> seen = new HashMap<>();
    private final Map<String, Instant> until = new HashMap<>();

    PlantedAccess(SimulatedSystem system, Keys keys) {
      this.system = system;
      this.keys = keys;
    }

    @Override
    public void add(AccessKey key) {
      keys.add(key);
    }

    @Override
    public Optional<AccessKey> find(String hash) {
      if (system.has(Defect.UNREAD_KEY_REFUSED)) {
        try {
          return keys.find(hash);
        } catch (PortUnavailable _) {
          return Optional.empty();
        }
      }
      if (!system.now().isBefore(until.getOrDefault(hash, Instant.MIN))) {
        keys.find(hash).ifPresent(key -> seen.put(hash, key));
        until.put(hash, system.now().plus(REMEMBERED));
      }
      return Optional.ofNullable(seen.get(hash));
    }

    @Override
    public List<AccessKey> list(String tenant) {
      return keys.list(tenant);
    }

    @Override
    public Optional<AccessKey> revoke(String tenant, String id, Instant at) {
      return keys.revoke(tenant, id, at);
    }

    @Override
    public void used(AccessKey key, Instant at, Instant before) {
      keys.used(key, at, before);
    }
  }
}
