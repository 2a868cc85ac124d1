package dev.runyard.runner.isolation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class WorkTimeTest {
  private static final DiskBounds BOUNDS = DiskBounds.of(1, 1);

  private final AtomicLong now = new AtomicLong(-7);
  private final WorkTime time = new WorkTime(now::get);

  private long step(Duration by) {
    now.addAndGet(by.toNanos());
    return time.getAsLong();
  }

  @Test
  void countsTheTimeOfEachStep() {
    step(Duration.ofMillis(300));

    assertEquals(Duration.ofMillis(700).toNanos(), step(Duration.ofMillis(400)));
  }

  /// A look at a disk during which the machine is stopped is not one that takes too long.
  @Test
  void countsNoStandstill() {
    assertFalse(BOUNDS.isTooLong(step(Duration.ofHours(2))));

    assertEquals(2 * WorkTime.STEP_NANOS_MAX, step(Duration.ofDays(1)));
  }

  @Test
  void isTheTimeOfEachLook() {
    assertInstanceOf(WorkTime.class, BOUNDS.nanoTime());
  }

  @Test
  void countsManyShortStepsWhole() {
    long worked = 0;
    for (int i = 0; i <= 2 * DiskBounds.LOOK_SECONDS_MAX; i++) {
      worked = step(Duration.ofMillis(500));
    }

    assertTrue(BOUNDS.isTooLong(worked));
  }
}
