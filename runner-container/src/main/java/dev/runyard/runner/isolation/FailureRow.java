package dev.runyard.runner.isolation;

/// Failures of something that is tried again and again, of which only the first in a row is told: a
/// machine that has run out of something makes every try fail. Not thread-safe.
final class FailureRow {
  private boolean begun;

  /// True for the first failure since it last went well.
  boolean isFirst() {
    boolean first = !begun;
    begun = true;
    return first;
  }

  /// It went well.
  void end() {
    begun = false;
  }
}
