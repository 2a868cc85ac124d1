package dev.runyard.functions.stream;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/// How long to wait before the log is read again: briefly while events flow, then twice as long
/// each time up to the longest pause. All readers of a server share a budget of quiet reads, so
/// that a thousand idle streams do not read the store to a standstill.
final class TailPace {
  static final int FLOWING_MILLIS = 5;

  /// Reads per second all quiet streams of one server make together.
  static final int QUIET_READS_PER_SECOND_MAX = 200;

  private final long longestMillis;
  private final AtomicInteger readers;
  private long millis = FLOWING_MILLIS;

  TailPace(Duration longest, AtomicInteger readers) {
    this.longestMillis = longest.toMillis();
    this.readers = readers;
  }

  /// Events came: the next pause is the shortest.
  void flowing() {
    millis = FLOWING_MILLIS;
  }

  Duration next() {
    long shared = readers.get() * 1000L / QUIET_READS_PER_SECOND_MAX;
    long longest = Math.max(longestMillis, shared);
    Duration pause = Duration.ofMillis(Math.min(millis, longest));
    millis = Math.min(millis * 2, longest);
    return pause;
  }
}
