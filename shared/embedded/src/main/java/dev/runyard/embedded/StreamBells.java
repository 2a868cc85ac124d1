package dev.runyard.embedded;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/// The doorbells of the streams that somebody waits for. One that nobody waits for has none.
/// Thread-safe.
final class StreamBells {
  private final ConcurrentMap<String, Waited> waited = new ConcurrentHashMap<>();

  private record Waited(Doorbell bell, int waiting) {
    Waited more(int count) {
      return new Waited(bell, waiting + count);
    }
  }

  /// Rung after an append to a stream.
  record Ring(StreamBells bells, String partition) implements Bell {
    @Override
    public void ring() {
      Waited there = bells.waited.get(partition);
      if (there != null) {
        there.bell.ring();
      }
    }
  }

  Bell of(String partition) {
    return new Ring(this, partition);
  }

  /// The doorbell of a stream, until whoever asked for it leaves.
  Doorbell join(String partition) {
    return waited
        .compute(
            partition, (_, there) -> there == null ? new Waited(new Doorbell(), 1) : there.more(1))
        .bell();
  }

  void leave(String partition) {
    waited.computeIfPresent(partition, (_, there) -> left(there.more(-1)));
  }

  private static @Nullable Waited left(Waited rest) {
    return rest.waiting() == 0 ? null : rest;
  }

  /// Streams that somebody waits for.
  int count() {
    return waited.size();
  }

  /// Wakes everybody.
  void ringAll() {
    waited.values().forEach(there -> there.bell().ring());
  }
}
