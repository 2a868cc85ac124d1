package dev.runyard.runner.backend.claude;

import dev.runyard.core.problem.Failure;

/// The conversation a run works in.
sealed interface ClaudeSession {

  /// One that the run starts.
  record Fresh() implements ClaudeSession {}

  /// One that is there already.
  ///
  /// @param fork whether the run works in a copy of it
  record Known(String id, boolean fork) implements ClaudeSession {}

  /// The one that was asked for is not there.
  record Missing(Failure failure) implements ClaudeSession {}
}
