package dev.runyard.runner.backend;

/// How an agent was asked to end.
sealed interface EndRequest {
  /// For good.
  record Stop() implements EndRequest {}

  /// Until a person has decided.
  record Pause(PausePolicy policy) implements EndRequest {}
}
