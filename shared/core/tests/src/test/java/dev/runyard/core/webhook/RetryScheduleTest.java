package dev.runyard.core.webhook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class RetryScheduleTest {
  private static final List<Long> SECONDS =
      List.of(5L, 300L, 1800L, 7200L, 18_000L, 36_000L, 50_400L, 72_000L, 86_400L);

  @Test
  void followsTheStandardWithinATenth() {
    for (int tries = 1; tries < RetrySchedule.TRIES_MAX; tries++) {
      Set<Duration> pauses = new HashSet<>();
      long middle = SECONDS.get(tries - 1) * 1000;
      for (int i = 0; i < 100; i++) {
        Duration pause = RetrySchedule.pause(key(i), tries, Optional.empty()).orElseThrow();
        long off = Math.abs(pause.toMillis() - middle);
        assertTrue(off <= middle / 10 + 1, pause::toString);
        pauses.add(pause);
      }
      assertTrue(pauses.size() > 50, "spread over " + pauses.size());
    }
    assertEquals(
        Optional.empty(), RetrySchedule.pause(key(0), RetrySchedule.TRIES_MAX, Optional.empty()));
  }

  @Test
  void repeatsItself() {
    assertEquals(
        RetrySchedule.pause(key(7), 3, Optional.empty()),
        RetrySchedule.pause(key(7), 3, Optional.empty()));
  }

  private static DeliveryKey key(int i) {
    return DeliveryKey.of("acme", "wh_0123456789abcdef", Instant.EPOCH, "run " + i);
  }
}
