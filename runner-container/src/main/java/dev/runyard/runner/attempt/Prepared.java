package dev.runyard.runner.attempt;

import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import java.io.IOException;

/// The result of a step of preparing an agent. A step that refuses is the last.
///
/// @param <T> what the step prepared
sealed interface Prepared<T> {
  record Ready<T>(T value) implements Prepared<T> {}

  record Refused<T>(Failure failure) implements Prepared<T> {}

  /// One step.
  @FunctionalInterface
  interface Step<T, R> {
    Prepared<R> from(T value) throws IOException;
  }

  /// Continues with the next step, unless this one refused.
  default <R> Prepared<R> then(Step<T, R> next) throws IOException {
    return switch (this) {
      case Ready<T>(T value) -> next.from(value);
      case Refused<T>(Failure failure) -> new Refused<>(failure);
    };
  }

  /// The failure of an agent that its runner could not start.
  static Failure notStarted(String reason) {
    return new Failure(
        Failure.LAUNCH_FAILED, Category.BACKEND, "The agent could not be started: " + reason + ".");
  }
}
