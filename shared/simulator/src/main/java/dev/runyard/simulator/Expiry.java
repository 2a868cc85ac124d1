package dev.runyard.simulator;

import java.time.Duration;
import java.time.Instant;
import java.util.Random;

/// When a table removes what has a time to live: at its end, or up to two days later, as DynamoDB
/// may.
final class Expiry {
  private static final double LATE = 0.5;
  static final int LATE_SECONDS_MAX = 48 * 3600;

  private final Faults faults;
  private final Random random;

  Expiry(Faults faults, Random random) {
    this.faults = faults;
    this.random = random;
  }

  /// @param end of its time to live
  Instant removedAt(Instant end) {
    return faults.strikes(Fault.LATE_EXPIRY, LATE)
        ? end.plus(Duration.ofSeconds(random.nextInt(LATE_SECONDS_MAX)))
        : end;
  }
}
