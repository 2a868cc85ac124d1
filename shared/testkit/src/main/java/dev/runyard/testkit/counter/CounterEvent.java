package dev.runyard.testkit.counter;

/// A fact about a counter.
public sealed interface CounterEvent {
  /// It counts one more, for the reason in the `note`.
  record Counted(String note) implements CounterEvent {}

  /// It counts no more.
  record Stopped() implements CounterEvent {}
}
