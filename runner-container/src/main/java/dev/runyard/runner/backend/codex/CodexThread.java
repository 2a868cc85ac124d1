package dev.runyard.runner.backend.codex;

import dev.runyard.core.problem.Failure;
import dev.runyard.core.usage.Usage;

/// The conversation a run works in.
public sealed interface CodexThread {
  /// Usage that Codex counts but the run did not cause.
  default Usage before() {
    return switch (this) {
      case Fresh _, Missing _ -> Usage.NONE;
      case Known known -> known.used();
      case Copied copied -> copied.used();
    };
  }

  /// One that the run starts.
  record Fresh() implements CodexThread {}

  /// An existing one.
  ///
  /// @param used its usage before, which Codex counts again
  record Known(String id, Usage used) implements CodexThread {}

  /// A copy of an existing one.
  ///
  /// @param id of the one that is copied
  /// @param used the usage of the original, which Codex counts again
  record Copied(String id, Usage used) implements CodexThread {}

  /// The requested one does not exist.
  record Missing(Failure failure) implements CodexThread {}
}
