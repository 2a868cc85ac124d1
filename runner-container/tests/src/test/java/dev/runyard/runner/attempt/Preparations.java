package dev.runyard.runner.attempt;

import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.Attempt;
import java.time.Instant;

/// Attempts whose agents tests prepare, and what that came to.
final class Preparations {
  private Preparations() {}

  /// An attempt that a runner has claimed and not yet begun.
  static Attempt claimed(int number, boolean continuation) {
    return new Attempt(
        number,
        "a-" + number,
        "runner",
        "ticket",
        Attempt.Stage.CLAIMED,
        Instant.EPOCH,
        null,
        null,
        continuation,
        0);
  }

  /// What is ready; an error if it was refused.
  static <T> T ready(Prepared<T> prepared) {
    return switch (prepared) {
      case Prepared.Ready<T>(T ready) -> ready;
      case Prepared.Refused<T>(Failure failure) -> throw new AssertionError(failure);
    };
  }

  /// Why it was refused; an error if it was not.
  static Failure refusal(Prepared<?> prepared) {
    return switch (prepared) {
      case Prepared.Ready<?> ready -> throw new AssertionError(ready);
      case Prepared.Refused<?>(Failure failure) -> failure;
    };
  }
}
