package dev.runyard.core.thread;

import java.util.List;

/// What the rules of threads make of a command.
public sealed interface ThreadDecision {
  /// Append these events.
  record Append(List<ThreadEvent> events) implements ThreadDecision {
    public Append {
      events = List.copyOf(events);
    }
  }

  /// It is so already.
  record Stay() implements ThreadDecision {}

  /// The thread has changed since.
  record Stale() implements ThreadDecision {}

  /// The thread has another turn.
  record Busy() implements ThreadDecision {}

  /// The turn does not wait: it has begun or ended, or is of another thread.
  record NotQueued() implements ThreadDecision {}
}
