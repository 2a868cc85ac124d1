package dev.runyard.functions.stream;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/// How long to wait before a run's log is read again: a fifth of the longest pause while events
/// flow, then twice as long each time up to the longest. A function may have as many processes as
/// readers, so only that fifth bounds the reads of one run's partition. All runs that are followed
/// in one process share a budget of quiet reads, so that a thousand idle ones do not overload the
/// store.
final class TailPace {
  /// While events flow the pause is the longest one divided by this.
  static final int FLOWING_PART = 5;

  static final int FLOWING_MILLIS_MIN = 5;

  /// Most reads per second of all quiet runs of one process together.
  static final int QUIET_READS_PER_SECOND_MAX = 200;

  private final long longestMillis;
  private final long flowingMillis;
  private final AtomicInteger followed;
  private long millis;

  /// @param followed runs that are followed in this process
  TailPace(Duration longest, AtomicInteger followed) {
    this.longestMillis = longest.toMillis();
    this.flowingMillis = Math.max(longestMillis / FLOWING_PART, FLOWING_MILLIS_MIN);
    this.followed = followed;
    this.millis = flowingMillis;
  }

  /// Events came: the next pause is the shortest.
  void flowing() {
    millis = flowingMillis;
  }

  Duration next() {
    long shared = followed.get() * 1000L / QUIET_READS_PER_SECOND_MAX;
    long longest = Math.max(longestMillis, shared);
    Duration pause = Duration.ofMillis(Math.min(millis, longest));
    millis = Math.min(millis * 2, longest);
    return pause;
  }
}
