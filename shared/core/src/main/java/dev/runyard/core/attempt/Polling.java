package dev.runyard.core.attempt;

import java.time.Duration;
import java.time.Instant;

/// How often an attempt looks whether something is done that others do: soon, then more seldom.
final class Polling {
  private static final Duration MIN = Duration.ofMillis(1);
  private static final Duration MAX = Duration.ofMillis(200);

  private Duration pause = MIN;

  /// When to look next, at the latest at `wake`.
  Instant next(Instant wake, Instant now) {
    Instant look = now.plus(pause);
    Duration twice = pause.multipliedBy(2);
    pause = twice.compareTo(MAX) > 0 ? MAX : twice;
    return look.isBefore(wake) ? look : wake;
  }
}
