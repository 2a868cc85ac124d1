package dev.runyard.core.projection;

import dev.runyard.core.ids.StreamKey;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Snapshots of the streams of one kind: each is the fold of a log up to its sequence. They serve
/// lists, save reads, and tell `sweep` what is due. They may lag behind the log. What is stored is
/// said by a [ModelKind], so that a store is written once for all kinds.
///
/// Calls fail with [dev.runyard.core.problem.PortUnavailable] if the store does not answer.
///
/// @param <K> names a stream
/// @param <S> its state once it exists
public interface Models<K extends StreamKey, S> {
  /// Shards of the index of what is due; one stream is always in the same shard.
  int DUE_SHARDS = 4;

  Optional<S> snapshot(K key);

  /// Saves the snapshot unless the stored one is as new. False when it was not saved.
  boolean save(S state);

  /// Those of a tenant, newest first, at most `limit`, beginning after the place `after`.
  List<S> newest(String tenant, int limit, Optional<String> after);

  /// Those of a shard that are due, earliest first, at most `limit`.
  List<K> due(int shard, Instant now, int limit);

  static int shardOf(StreamKey key) {
    return Math.floorMod(key.partition().hashCode(), DUE_SHARDS);
  }

  /// The place in its tenant's list of what was created then: later ones are behind it.
  static String place(Instant createdAt, StreamKey key) {
    return "%013d#%s".formatted(createdAt.toEpochMilli(), key.id());
  }
}
