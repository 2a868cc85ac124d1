package dev.runyard.testkit.counter;

/// An event of a counter.
public sealed interface CounterEvent {
  /// It counts one up, for the reason in the `note`.
  record Counted(String note) implements CounterEvent {}

  /// It stops counting.
  record Stopped() implements CounterEvent {}
}
