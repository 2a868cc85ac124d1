package dev.runyard.runner.change;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/// Until when a change may be taken or stored.
record Deadline(InstantSource clock, Instant until) {
  static Deadline in(Duration time, InstantSource clock) {
    return new Deadline(clock, clock.instant().plus(time));
  }

  boolean isOver() {
    return !clock.instant().isBefore(until);
  }

  void check() throws TakingFailed {
    if (isOver()) {
      throw new TakingFailed("it took too long");
    }
  }
}
