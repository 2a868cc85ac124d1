package dev.runyard.runner.backend;

/// How an agent was asked to end.
sealed interface EndRequest {
  /// For good.
  record Stop() implements EndRequest {}

  /// Until its run goes on.
  record Pause(PausePolicy policy) implements EndRequest {}
}
