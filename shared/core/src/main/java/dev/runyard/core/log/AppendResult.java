package dev.runyard.core.log;

/// What became of an append.
public sealed interface AppendResult {
  /// The chunk is in the log, now or since an earlier try of the same write.
  record Appended() implements AppendResult {}

  /// Another writer has written at that place: read the tail, fold it, decide again.
  record Collision() implements AppendResult {}

  static AppendResult appended() {
    return new Appended();
  }

  static AppendResult collision() {
    return new Collision();
  }
}
