package dev.runyard.testkit.counter;

import dev.runyard.core.stream.StreamState;

/// The state of a counter.
public record Counter(long sequence, int count, boolean closed) implements StreamState {
  static final Counter NEW = new Counter(0, 0, false);

  @Override
  public String phase() {
    return closed ? "stopped" : "counting";
  }

  Counter then(StoredCount stored) {
    if (closed || stored.sequence() != sequence + 1) {
      throw new IllegalStateException(
          "event %d of %s follows %d"
              .formatted(stored.sequence(), stored.key().partition(), sequence));
    }
    return switch (stored.event()) {
      case CounterEvent.Counted _ -> new Counter(sequence + 1, count + 1, false);
      case CounterEvent.Stopped _ -> new Counter(sequence + 1, count, true);
    };
  }
}
