package dev.runyard.runner.backend.claude;

import dev.runyard.core.problem.Failure;

/// The conversation a run works in.
sealed interface ClaudeSession {

  /// One that the run starts.
  record Fresh() implements ClaudeSession {}

  /// An existing one.
  ///
  /// @param fork whether the run works in a copy of it
  record Known(String id, boolean fork) implements ClaudeSession {}

  /// The requested one does not exist.
  record Missing(Failure failure) implements ClaudeSession {}
}
