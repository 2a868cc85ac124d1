package dev.runyard.runner.isolation;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/// The time of work that is asked for it at each of its many steps, without the time in which the
/// whole machine or process stood still, such as a paused container: that says nothing about the
/// work. For one thread.
final class WorkTime implements LongSupplier {
  /// A step that takes longer counts as one of this time.
  static final long STEP_NANOS_MAX = TimeUnit.SECONDS.toNanos(1);

  private final LongSupplier nanoTime;
  private long last;
  private long worked;

  /// @param nanoTime a clock that only goes on
  WorkTime(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.last = nanoTime.getAsLong();
  }

  @Override
  public long getAsLong() {
    long now = nanoTime.getAsLong();
    worked += Math.min(now - last, STEP_NANOS_MAX);
    last = now;
    return worked;
  }
}
