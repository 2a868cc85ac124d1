package dev.runyard.runner.attempt;

import dev.runyard.runner.process.Pacer;
import java.time.InstantSource;

/// A runner's time.
///
/// @param clock says what time it is
/// @param pacer lets time pass
public record RunnerTime(InstantSource clock, Pacer pacer) {
  /// The machine passes time itself.
  public static RunnerTime by(InstantSource clock) {
    return new RunnerTime(clock, Pacer.system());
  }
}
