package dev.runyard.core.webhook;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The deliveries of webhooks: what is to be sent and a log of what was. They expire with the runs
/// they tell of.
public interface Deliveries {
  /// Shards of the index of deliveries that wait; one delivery is always in the same shard.
  int DUE_SHARDS = 4;

  int LIST_MAX = 100;

  /// Keeps a delivery. False when one of this key is known.
  boolean add(Delivery delivery);

  /// The delivery as it was written last.
  Optional<Delivery> find(DeliveryKey key);

  /// Replaces what was read by `next`, as its next version. False when somebody else has written
  /// since.
  boolean update(Delivery next);

  /// Deliveries of a webhook, newest first, at most `limit`, beginning after the id `after`.
  List<Delivery> list(String tenant, String webhookId, int limit, Optional<String> after);

  /// Deliveries of a shard that are due, earliest first, at most `limit`.
  List<DeliveryKey> due(int shard, Instant now, int limit);

  static int shardOf(DeliveryKey key) {
    return Math.floorMod(key.id().hashCode(), DUE_SHARDS);
  }
}
