package dev.runyard.core.stream;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/// The state of a stream, folded from its events.
public interface StreamState {
  /// Sequence of the newest event folded in, 0 before the first.
  long sequence();

  /// The state in one word, as a chunk that changes it contains it.
  String phase();

  /// True when no event may follow.
  boolean closed();

  /// The chain up to this state; empty when it is not known, as behind chunks of an earlier
  /// version, or in the middle of a chunk.
  default Optional<Chain> chain() {
    return Optional.empty();
  }

  /// What is stored of events that follow this state, each with its sequence.
  default <T, E extends StreamEvent> List<E> numbered(
      List<T> events, BiFunction<Long, T, E> stored) {
    List<E> all = new ArrayList<>(events.size());
    for (T event : events) {
      all.add(stored.apply(sequence() + all.size() + 1, event));
    }
    return all;
  }
}
