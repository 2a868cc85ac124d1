package dev.runyard.core.attempt;

import dev.runyard.core.limits.Limits;
import java.time.Duration;

/// How long an attempt may hold events back, and how often its runner looks for wake-ups.
///
/// @param flush longest time output waits for more output before it is written, while somebody may
///   be waiting for it
/// @param gather the same while nobody is
/// @param look pause between two looks for wake-ups, while somebody is there
/// @param lease the queue message's visibility timeout, extended after half of it
/// @param awaitGrace how long an agent that waits for a person keeps its place at the runner
public record AttemptTiming(
    Duration flush, Duration gather, Duration look, Duration lease, Duration awaitGrace) {
  /// The part of `gather` by which a look comes later while nobody is there.
  private static final int QUIET_PART = 10;

  public AttemptTiming(Duration flush, Duration gather, Duration look, Duration lease) {
    this(flush, gather, look, lease, Duration.ofSeconds(Limits.AWAIT_GRACE_SECONDS));
  }

  /// Pause between two looks for wake-ups while nobody is there: where output waits long, so may
  /// the next command.
  Duration quietLook() {
    return look.plus(gather.dividedBy(QUIET_PART));
  }

  public AttemptTiming {
    if (flush.isNegative() || !look.isPositive()) {
      throw new IllegalArgumentException("flush >= 0, look > 0");
    }
    if (gather.compareTo(flush) < 0
        || gather.compareTo(Duration.ofSeconds(Limits.GATHER_SECONDS_MAX)) > 0) {
      throw new IllegalArgumentException(
          "gather is from flush to " + Limits.GATHER_SECONDS_MAX + " s");
    }
    if (lease.compareTo(Duration.ofSeconds(3)) < 0) {
      throw new IllegalArgumentException("a lease is at least 3 s");
    }
  }
}
