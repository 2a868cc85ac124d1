package dev.runyard.testkit.counter;

/// What is wanted of a counter.
public sealed interface CounterCommand {
  record Count(String note) implements CounterCommand {}

  record Stop() implements CounterCommand {}
}
