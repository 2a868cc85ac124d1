package dev.runyard.core.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.limits.Limits;
import dev.runyard.core.memory.SettableClock;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.queue.Ticket;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Runners that take no more runs, and those that are there in their place.
class LeavingRunnersTest extends FleetRig {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final int IDLE_MINUTES = 5;
  private static final int BEHIND_SECONDS = Limits.CLOCK_SKEW_SECONDS_MAX - 1;

  @Test
  void startsNothingForRunsThatTheirRunnersEnd() {
    leavesWith(4);

    scale();

    assertEquals(List.of(0), fleet.started());
  }

  @Test
  void startsOneForTheRunsBesideThose() {
    leavesWith(4);
    send(1);

    scale();

    assertEquals(List.of(0, 1), fleet.started());
  }

  @Test
  void startsOneForAllThatWaitsThoughARunnerSaysOfRunsThatHaveEnded() {
    leavesWith(4).forEach(queue::delete);
    send(1);

    scale();

    assertEquals(List.of(0, 1), fleet.started());
  }

  @Test
  void startsOneForRunsWhoseRunnerIsSilent() {
    leavesWith(4);
    clock.advance(Duration.ofSeconds(Slot.LEASE_SECONDS));
    queue.receive(4, 0);

    scale();

    assertEquals(List.of(0, 1), fleet.started());
  }

  /// What it said of its runs would pass for those of others that are full.
  @Test
  void startsOneForRunsWhoseRunnerHasNotSpokenLately() {
    leavesWith(4);
    clock.advance(Duration.ofSeconds(2L * Slot.RENEW_SECONDS));

    scale();

    assertEquals(List.of(0, 1), fleet.started());
  }

  /// The clock of the runner is behind the functions' as far as may be, and it renews its slot in
  /// time.
  @Test
  void startsNothingForRunsWhoseRunnersClockIsBehind() {
    List<Ticket> tickets = leavesWith(4);
    Slot.Held held = held(0);
    SettableClock late = new SettableClock(clock.instant().minusSeconds(BEHIND_SECONDS));
    SlotHold hold = new SlotHold(slots, 0, held.claim().token(), held.runner(), late);
    assertTrue(hold.take());
    hold.renew(false, 0, 4);

    for (int look = 0; look < 30; look++) {
      scale();
      assertEquals(List.of(0), fleet.started(), "at look " + look);
      clock.advance(Duration.ofSeconds(Slot.RENEW_SECONDS));
      late.advance(Duration.ofSeconds(Slot.RENEW_SECONDS));
      tickets.forEach(ticket -> queue.extend(ticket, 60));
      if (look % 2 == 1) {
        hold.renew(false, 0, 4);
      }
    }
  }

  /// Its messages come back to the queue, where those of another that is full hide them for as long
  /// as the slot is believed.
  @Test
  void startsOneForRunsOfARunnerThatDiedBesideAFullOne() {
    leavesWith(4);
    clock.advance(Duration.ofSeconds(1));
    send(4);
    scale();
    SlotHold full = come().getLast();
    List<Ticket> others = queue.receive(4, 0);
    Instant died = held(0).renewedAt();

    while (fleet.started().size() < 3) {
      clock.advance(Duration.ofSeconds(20));
      others.forEach(ticket -> queue.extend(ticket, 60));
      full.renew(true, 0, 4);
      scale();
    }

    long seconds = Duration.between(died, clock.instant()).toSeconds();
    assertTrue(seconds <= Slot.FINISHING_SECONDS_MAX + 20, seconds + " s");
  }

  @Test
  void theReplacementOfOneThatLeavesStaysAndNoOther() {
    List<SlotHold> holds = three();
    holds.getFirst().renew(false, 0, 1);

    assertTrue(holds.get(1).stays(1));
    assertFalse(holds.get(2).stays(1));
    assertTrue(holds.get(2).stays(2));
  }

  @Test
  void leavesWhereEnoughRunnersOfLowerSlotsTakeRuns() {
    List<SlotHold> holds = three();

    assertFalse(holds.get(1).stays(1));
    assertFalse(holds.get(2).stays(2));
  }

  @Test
  void aRunnerThatOnlyStartsOrIsSilentIsNoneThatTakesRuns() {
    List<SlotHold> holds = three();
    clock.advance(Duration.ofSeconds(Slot.LEASE_SECONDS));
    assertTrue(holds.get(1).stays(1));
    holds.getFirst().renew(true, 0, 0);
    assertFalse(holds.get(1).stays(1));

    leave(0);
    slots.write(((Slot.Free) slots.read().slot(0)).claim("next", clock.instant()));

    assertTrue(holds.get(1).stays(1));
  }

  @Test
  void looksAtTheOthersOnlyWhereItsSlotDoesNotTellIt() {
    List<SlotHold> holds = three();
    slots.down(true);

    assertTrue(holds.getFirst().stays(1));
    assertTrue(holds.get(1).stays(2));
    assertFalse(holds.get(1).stays(0));
    assertThrows(PortUnavailable.class, () -> holds.get(1).stays(1));
  }

  /// Its run lasts, and `sweep` looks each minute.
  @Test
  void aRunnerTakesRunsFromOneLookToTheNextWhileAnotherLeaves() {
    size = new FleetSize(1, 3, 2);
    send(1);
    scale();
    SlotHold old = come().getFirst();
    Ticket lasting = queue.receive(1, 0).getFirst();
    old.renew(false, 0, 1);
    scale();
    List<SlotHold> others = new ArrayList<>(come());

    for (int minute = 1; minute <= 60; minute++) {
      clock.advance(MINUTE);
      queue.extend(lasting, 2 * 60);
      old.renew(false, 0, 1);
      if (minute % IDLE_MINUTES == 0) {
        others.stream().filter(other -> !other.stays(size.min())).forEach(SlotHold::release);
        others.removeIf(SlotHold::lost);
      }
      others.forEach(other -> other.renew(true, 0, 0));
      assertEquals(1, slots.read().working(clock.instant()), "in minute " + minute);
      scale();
      others.addAll(come());
    }

    assertEquals(List.of(0, 1), fleet.started());
    queue.delete(lasting);
    old.release();
    scale();
    assertEquals(List.of(0, 1), fleet.started(), "one is enough, whatever its slot");
  }

  /// A runner with so many runs takes no more.
  private List<Ticket> leavesWith(int runs) {
    size = new FleetSize(0, 3, 4);
    send(runs);
    scale();
    SlotHold hold = come().getFirst();
    List<Ticket> tickets = queue.receive(runs, 0);
    hold.renew(false, 0, runs);
    return tickets;
  }

  /// Three runners that take runs.
  private List<SlotHold> three() {
    send(6);
    scale();
    return come();
  }
}
