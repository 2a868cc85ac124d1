package dev.runyard.core.stream;

/// The state of a stream, folded from its events.
public interface StreamState {
  /// Sequence of the newest event folded in, 0 before the first.
  long sequence();

  /// The state in one word, as a chunk that changes it contains it.
  String phase();

  /// True when no event may follow.
  boolean closed();
}
