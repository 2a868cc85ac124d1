package dev.runyard.core.stream;

import java.util.Optional;

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
}
