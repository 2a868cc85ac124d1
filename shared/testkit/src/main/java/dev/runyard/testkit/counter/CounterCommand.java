package dev.runyard.testkit.counter;

/// A command to a counter.
public sealed interface CounterCommand {
  record Count(String note) implements CounterCommand {}

  record Stop() implements CounterCommand {}
}
