package dev.runyard.core.attempt;

import dev.runyard.core.limits.Limits;
import java.time.Duration;

/// How long an attempt may hold events back, and how often it polls for control events while it is
/// quiet.
///
/// @param flush longest time output waits for more output before it is written
/// @param tailMin pause before the first read of the tail after something happened; doubled up to
///   `tailMax`
/// @param lease the queue message's visibility timeout, extended after each third of it
/// @param awaitGrace how long an agent that waits for a person keeps its place at the runner
public record AttemptTiming(
    Duration flush, Duration tailMin, Duration tailMax, Duration lease, Duration awaitGrace) {
  public AttemptTiming(Duration flush, Duration tailMin, Duration tailMax, Duration lease) {
    this(flush, tailMin, tailMax, lease, Duration.ofSeconds(Limits.AWAIT_GRACE_SECONDS));
  }

  public AttemptTiming {
    if (flush.isNegative() || !tailMin.isPositive() || tailMax.compareTo(tailMin) < 0) {
      throw new IllegalArgumentException("flush >= 0, 0 < tailMin <= tailMax");
    }
    if (lease.compareTo(Duration.ofSeconds(3)) < 0) {
      throw new IllegalArgumentException("a lease is at least 3 s");
    }
  }
}
