package dev.runyard.core.memory;

import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.projection.ModelKind;
import dev.runyard.core.projection.Models;
import dev.runyard.core.stream.StreamState;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Snapshots of one kind in memory, in their stored form, so that everything read has been through
/// its codec.
class MemoryModels<K extends StreamKey, S extends StreamState> implements Models<K, S> {
  private final ModelKind<K, S> kind;
  private final Map<K, byte[]> kept = new HashMap<>();

  MemoryModels(ModelKind<K, S> kind) {
    this.kind = kind;
  }

  @Override
  public synchronized Optional<S> snapshot(K key) {
    return Optional.ofNullable(kept.get(key)).map(kind::unpack);
  }

  @Override
  public synchronized boolean save(S state) {
    K key = kind.keyOf().apply(state);
    boolean newer = snapshot(key).filter(there -> there.sequence() >= state.sequence()).isEmpty();
    if (newer) {
      kept.put(key, kind.pack(state));
    }
    return newer;
  }

  @Override
  public synchronized List<S> newest(String tenant, int limit, Optional<String> after) {
    return kept.values().stream()
        .map(kind::unpack)
        .filter(state -> kind.keyOf().apply(state).tenant().equals(tenant))
        .filter(state -> after.isEmpty() || kind.placeOf(state).compareTo(after.get()) < 0)
        .sorted(Comparator.comparing(kind::placeOf).reversed())
        .limit(limit)
        .toList();
  }

  @Override
  public synchronized List<K> due(int shard, Instant now, int limit) {
    return kept.values().stream()
        .map(kind::unpack)
        .filter(state -> Models.shardOf(kind.keyOf().apply(state)) == shard)
        .filter(state -> kind.dueAt().apply(state).filter(at -> !at.isAfter(now)).isPresent())
        .sorted(Comparator.comparing(state -> kind.dueAt().apply(state).orElseThrow()))
        .limit(limit)
        .map(kind.keyOf())
        .toList();
  }
}
