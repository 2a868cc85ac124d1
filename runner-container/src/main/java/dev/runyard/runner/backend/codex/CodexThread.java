package dev.runyard.runner.backend.codex;

import dev.runyard.core.event.Usage;
import dev.runyard.core.problem.Failure;

/// The conversation a run works in.
public sealed interface CodexThread {

  /// One that the run starts.
  record Fresh() implements CodexThread {}

  /// One that is there already.
  ///
  /// @param used what it used before, which Codex counts again
  record Known(String id, Usage used) implements CodexThread {}

  /// The one that was asked for is not there.
  record Missing(Failure failure) implements CodexThread {}
}
