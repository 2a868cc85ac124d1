package dev.runyard.runner.backend.codex;

import dev.runyard.core.problem.Failure;
import dev.runyard.core.usage.Usage;

/// The conversation a run works in.
public sealed interface CodexThread {
  /// What Codex counts of it that the run has not used.
  default Usage before() {
    return switch (this) {
      case Fresh _, Missing _ -> Usage.NONE;
      case Known known -> known.used();
      case Copied copied -> copied.used();
    };
  }

  /// One that the run starts.
  record Fresh() implements CodexThread {}

  /// One that is there already.
  ///
  /// @param used what it used before, which Codex counts again
  record Known(String id, Usage used) implements CodexThread {}

  /// A copy of one that is there already.
  ///
  /// @param id of the one that is copied
  /// @param used what that one used, which Codex counts again
  record Copied(String id, Usage used) implements CodexThread {}

  /// The one that was asked for is not there.
  record Missing(Failure failure) implements CodexThread {}
}
