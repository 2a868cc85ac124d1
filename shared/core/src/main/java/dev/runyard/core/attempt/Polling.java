package dev.runyard.core.attempt;

import java.time.Duration;
import java.time.Instant;

/// How often an attempt checks whether other threads are done: soon, then less and less often.
final class Polling {
  private static final Duration MIN = Duration.ofMillis(1);
  private static final Duration MAX = Duration.ofMillis(200);

  /// A pause is longer than the last by this part of it, so what is done is seen late by at most as
  /// much of the time it took.
  private static final int GROWTH_PART = 4;

  private Duration pause = MIN;

  /// When to check next, at the latest at `wake`.
  Instant next(Instant wake, Instant now) {
    Instant look = now.plus(pause);
    Duration longer = pause.plus(pause.dividedBy(GROWTH_PART));
    pause = longer.compareTo(MAX) > 0 ? MAX : longer;
    return look.isBefore(wake) ? look : wake;
  }
}
