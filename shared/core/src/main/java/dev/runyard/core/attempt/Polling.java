package dev.runyard.core.attempt;

import java.time.Duration;
import java.time.Instant;

/// How often an attempt checks whether other threads are done: soon, then less and less often.
final class Polling {
  private static final Duration MIN = Duration.ofMillis(1);
  private static final Duration MAX = Duration.ofMillis(200);

  private Duration pause = MIN;

  /// When to check next, at the latest at `wake`.
  Instant next(Instant wake, Instant now) {
    Instant look = now.plus(pause);
    Duration twice = pause.multipliedBy(2);
    pause = twice.compareTo(MAX) > 0 ? MAX : twice;
    return look.isBefore(wake) ? look : wake;
  }
}
