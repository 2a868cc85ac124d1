package dev.runyard.core.attempt;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.memory.MemoryRunQueue;
import dev.runyard.core.memory.SettableClock;
import dev.runyard.core.queue.Ticket;
import dev.runyard.core.wakeup.ProcessWakeups;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class AttemptTimersTest {
  private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");
  private static final AttemptTiming TIMING =
      new AttemptTiming(
          Duration.ofMillis(100),
          Duration.ofMillis(100),
          Duration.ofSeconds(1),
          Duration.ofSeconds(Limits.LEASE_SECONDS));

  @Test
  void anAttemptThatLostItsLeaseWakesNoMoreForIt() {
    MemoryRunQueue queue = new MemoryRunQueue(new SettableClock(START), Limits.LEASE_SECONDS);
    RunKey run = new RunKey("acme", "019c0000-0000-7000-8000-000000000001");
    RunnerShare share = RunnerShare.of("runner", TIMING);
    AttemptTimers timers = new AttemptTimers(TIMING, share.look().seen(), START);
    AttemptLease lease =
        new AttemptLease(queue, new Ticket(run, "gone", "stale", 1), share.leases(), timers, START);
    Instant now = START;
    for (int i = 0; i < 3; i++) {
      now = now.plusSeconds(Limits.LEASE_SECONDS);
      lease.extend(now);
      timers.woken(share.look().look(new ProcessWakeups(), now));
      timers.looked(now);
      timers.wrote(now);
    }
    assertTrue(timers.wakeAt(now, null).isAfter(now));
  }
}
