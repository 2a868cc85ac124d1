package dev.runyard.core.stream;

/// Where a stream stands, folded from its events.
public interface StreamState {
  /// Sequence of the newest event folded in, 0 before the first.
  long sequence();

  /// The state in one word, as a chunk that changes it carries it.
  String phase();

  /// True when no event may follow.
  boolean closed();
}
