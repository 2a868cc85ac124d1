package dev.runyard.core.projection;

import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.stream.StreamState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/// What a store has to know of one kind of stream to keep its [Models].
///
/// @param name of one, which its table is named after in the plural
/// @param key makes the key of a tenant and an id
/// @param keyOf the key of a state
/// @param codec its stored form
/// @param dueAt when it is looked at though nobody told of a change
public record ModelKind<K extends StreamKey, S extends StreamState>(
    String name,
    BiFunction<String, String, K> key,
    Function<S, K> keyOf,
    Codec<S> codec,
    Function<S, Instant> createdAt,
    Function<S, Optional<Instant>> dueAt) {

  /// How snapshots are stored.
  public record Codec<S>(Function<S, byte[]> pack, Function<byte[], S> unpack) {}

  /// More than one of them.
  public String names() {
    return name + "s";
  }

  public String placeOf(S state) {
    return Models.place(createdAt.apply(state), keyOf.apply(state));
  }

  /// A page of those of a tenant, newest first, beginning after the place `after`.
  public ModelPage<S> page(Models<K, S> models, String tenant, int limit, Optional<String> after) {
    List<S> found = models.newest(tenant, limit + 1, after);
    List<S> page = found.subList(0, Math.min(limit, found.size()));
    return new ModelPage<>(
        page, found.size() > limit ? Optional.of(placeOf(page.getLast())) : Optional.empty());
  }

  public byte[] pack(S state) {
    return codec.pack().apply(state);
  }

  public S unpack(byte[] stored) {
    return codec.unpack().apply(stored);
  }
}
