package dev.runyard.simulator;

import dev.runyard.core.limits.Limits;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Random;

/// The times that processes of a history have by their clocks, each of which may be wrong. In half
/// of the histories they are by chance. In the others those of runners are as slow as they may be
/// and all others as fast, so that a silent runner seems silent for longest.
final class SkewedTimes {
  private final Random random;
  private final InstantSource right;
  private final Faults faults;
  private final boolean apart;

  SkewedTimes(Random random, InstantSource right, Faults faults) {
    this.random = random;
    this.right = right;
    this.faults = faults;
    this.apart = random.nextBoolean();
  }

  /// A clock of a runner.
  InstantSource ofRunner() {
    return skewed(-1);
  }

  /// A clock of a function or a client.
  InstantSource ofOther() {
    return skewed(1);
  }

  private InstantSource skewed(int direction) {
    if (!faults.has(Fault.SKEW)) {
      return right;
    }
    int most = 1000 * Limits.CLOCK_ERROR_SECONDS_MAX;
    int wrong = random.nextInt(2 * most + 1) - most;
    Duration skew = Duration.ofMillis(apart ? (long) direction * most : wrong);
    return () -> right.instant().plus(skew);
  }

  /// How far two of them may differ.
  Duration skewMax() {
    return faults.kinds().contains(Fault.SKEW)
        ? Duration.ofSeconds(Limits.CLOCK_SKEW_SECONDS_MAX)
        : Duration.ZERO;
  }
}
