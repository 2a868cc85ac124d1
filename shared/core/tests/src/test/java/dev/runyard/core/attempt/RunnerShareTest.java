package dev.runyard.core.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.memory.SettableClock;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.queue.Ticket;
import dev.runyard.core.wakeup.Wakeups;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// What the attempts of one runner do with one call.
final class RunnerShareTest {
  private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");
  private static final int LEASE = Limits.LEASE_SECONDS;
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final Duration QUIET = Duration.ofSeconds(2);

  private final SettableClock clock = new SettableClock(START);
  private final RandomIds ids = new RandomIds(new Random(1));
  private final HandQueue queue = new HandQueue(clock);
  private final SharedLeases leases = new SharedLeases(LEASE);

  private SharedLeases.Hold taken() {
    queue.send(new RunKey("acme", ids.runId(clock.instant())), 0);
    Ticket ticket = queue.receive(1, 0).getFirst();
    return leases.hold(ticket, clock.instant());
  }

  private Instant later(int seconds) {
    clock.advance(Duration.ofSeconds(seconds));
    return clock.instant();
  }

  @Test
  void oneCallExtendsAllLeasesThatAreAttendedTo() {
    SharedLeases.Hold first = taken();
    SharedLeases.Hold second = taken();
    SharedLeases.Hold unattended = taken();
    Instant now = later(SharedLeases.ATTENDED_SECONDS_MAX);
    second.attend(now);

    assertTrue(leases.extend(first, queue, now));

    assertEquals(new SharedLeases.Extension(now, false), second.extension());
    assertNull(unattended.extension());
    assertEquals(1, queue.extensions().size());
    later(LEASE - 1);
    assertEquals(1, queue.receive(10, 0).size());
  }

  @Test
  void aLeaseThatIsGivenUpOrLostIsNotExtendedAgain() {
    SharedLeases.Hold mine = taken();
    SharedLeases.Hold released = taken();
    SharedLeases.Hold lost = taken();
    leases.release(released);
    queue.delete(queue.last());
    leases.extend(mine, queue, clock.instant());

    assertNull(released.extension());
    SharedLeases.Extension seen = extension(lost);
    assertTrue(seen.lost());
    assertFalse(extension(mine).lost());
    Instant next = later(1);
    lost.attend(next);
    leases.extend(mine, queue, next);
    assertEquals(seen, lost.extension());
  }

  private static SharedLeases.Extension extension(SharedLeases.Hold hold) {
    SharedLeases.Extension extension = hold.extension();
    if (extension == null) {
      throw new AssertionError("was not extended");
    }
    return extension;
  }

  @Test
  void oneCallExtendsAsManyAsAQueueAllowsThoseFirstThatWaitLongest() {
    List<SharedLeases.Hold> holds = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      holds.add(taken());
    }
    leases.extend(holds.getFirst(), queue, clock.instant());
    assertEquals(10, holds.stream().filter(hold -> hold.extension() != null).count());
    leases.extend(holds.getFirst(), queue, later(1));
    assertEquals(12, holds.stream().filter(hold -> hold.extension() != null).count());
  }

  @Test
  void oneLookAPauseServesAllAttempts() {
    HandWakeups wakeups = new HandWakeups();
    SharedLook look = new SharedLook("runner", PAUSE, QUIET);
    looks(look, wakeups, START, 6);
    assertEquals(3, wakeups.looks);
    wakeups.mark = Optional.of("mark");
    Instant woken = START.plusSeconds(6);

    assertEquals(new SharedLook.Seen(1, woken, woken.plus(PAUSE)), look.look(wakeups, woken));
    looks(look, wakeups, woken, 6);
    assertEquals(9, wakeups.looks);
  }

  /// Ten attempts' steps each second.
  private static void looks(SharedLook look, Wakeups wakeups, Instant from, int seconds) {
    for (int millis = 0; millis < 1_000 * seconds; millis += 100) {
      look.look(wakeups, from.plusMillis(millis));
    }
  }

  @Test
  void aLookThatFailsIsRepeatedAfterThePause() {
    HandWakeups wakeups = new HandWakeups();
    SharedLook look = new SharedLook("runner", PAUSE, QUIET);
    wakeups.down = true;
    assertEquals(0, look.look(wakeups, START).wakeups());
    wakeups.down = false;
    wakeups.mark = Optional.of("mark");
    assertEquals(0, look.look(wakeups, START.plusMillis(1_999)).wakeups());
    assertEquals(1, look.look(wakeups, START.plus(QUIET)).wakeups());
  }

  @Test
  void aClockThatIsSetBackDelaysNoLook() {
    HandWakeups wakeups = new HandWakeups();
    SharedLook look = new SharedLook("runner", PAUSE, QUIET);
    look.look(wakeups, START);
    look.look(wakeups, START.minusSeconds(3600));
    assertEquals(2, wakeups.looks);
  }

  private static final class HandWakeups implements Wakeups {
    private Optional<String> mark = Optional.empty();
    private boolean down;
    private int looks;

    @Override
    public void send(String runner, String token) {
      mark = Optional.of(token);
    }

    @Override
    public Optional<String> last(String runner) {
      looks++;
      if (down) {
        throw new PortUnavailable("down");
      }
      return mark;
    }
  }
}
