package dev.runyard.core.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.problem.PortUnavailable;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SlotHoldTest extends FleetRig {
  private final BusySlots busy = new BusySlots(slots);

  @Test
  void takesRunsOnceItHasItsSlot() {
    SlotHold hold = startedBeside();
    assertFalse(hold.mayTake());
    assertTrue(hold.lost());

    assertTrue(hold.take());

    assertTrue(hold.mayTake());
    assertFalse(hold.lost());
    assertEquals(0, hold.number());
    assertTrue(hold.take(), "its own");
  }

  @Test
  void takesNoRunsThatLongAfterItLastRenewedItsSlot() {
    SlotHold hold = startedBeside();
    hold.take();
    clock.advance(Duration.ofSeconds(Slot.TAKE_SECONDS_MAX).minusMillis(1));
    assertTrue(hold.mayTake());
    clock.advance(Duration.ofMillis(1));
    assertFalse(hold.mayTake());
    assertFalse(hold.lost());

    hold.renew(true, 0, 0);

    assertTrue(hold.mayTake());
    assertEquals(clock.instant(), held().renewedAt());
  }

  @Test
  void takesAndRenewsItsSlotThoughItsTaskIsToldMeanwhile() {
    SlotHold hold = startedBeside();
    busy.before(() -> slots.write(claimed(0).task("task-1")));
    assertTrue(hold.take());
    assertEquals(Optional.of("task-1"), held().claim().task());

    clock.advance(Duration.ofSeconds(Slot.RENEW_SECONDS));
    busy.before(() -> slots.write(held().task("task-2")));
    hold.renew(false, 0, 0);

    assertEquals(clock.instant(), held().renewedAt());
    assertFalse(held().taking());
    assertEquals(Optional.of("task-2"), held().claim().task());
  }

  @Test
  void givesItsSlotBackThoughItsTaskIsToldMeanwhile() {
    SlotHold hold = startedBeside();
    hold.take();
    busy.before(() -> slots.write(held().task("task-1")));

    hold.release();

    assertInstanceOf(Slot.Free.class, slots.read().slot(0));
    assertTrue(hold.lost());
    assertFalse(hold.mayTake());
  }

  @Test
  void givesBackASlotThatItTookWithoutBeingTold() {
    SlotHold hold = startedBeside();
    busy.loseAnswer();
    assertThrows(PortUnavailable.class, hold::take);
    held();

    hold.release();

    assertInstanceOf(Slot.Free.class, slots.read().slot(0));
    assertTrue(hold.lost());
  }

  @Test
  void triesAgainToTakeASlotThatItTookWithoutBeingTold() {
    SlotHold hold = startedBeside();
    busy.loseAnswer();
    assertThrows(PortUnavailable.class, hold::take);

    assertTrue(hold.take());

    hold.release();
    assertInstanceOf(Slot.Free.class, slots.read().slot(0));
  }

  @Test
  void givesNoSlotBackThatIsAnothers() {
    SlotHold hold = startedBeside();
    hold.take();
    leave(0);
    Slot.Claimed other = ((Slot.Free) slots.read().slot(0)).claim("other", clock.instant());
    slots.write(other);

    hold.release();

    assertEquals(other, slots.read().slot(0));
    assertTrue(hold.lost());
  }

  @Test
  void doesNothingWhereItsSlotIsWrittenAgainAndAgain() {
    SlotHold hold = startedBeside();
    busy.always();

    assertFalse(hold.take());

    assertTrue(hold.lost());
  }

  @Test
  void aRunnerThatHasNoSlotGivesNoneBack() {
    SlotHold hold = startedBeside();

    hold.renew(true, 0, 0);
    hold.release();

    claimed(0);
  }

  private Slot.Held held() {
    return assertInstanceOf(Slot.Held.class, slots.read().slot(0));
  }

  /// The hold of a runner that was started, on slots that others write too.
  private SlotHold startedBeside() {
    slots.write(new Slot.Free(0, 0).claim("claim", clock.instant()));
    return new SlotHold(busy, 0, "claim", "runner", clock);
  }
}
