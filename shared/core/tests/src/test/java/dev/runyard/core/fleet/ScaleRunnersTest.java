package dev.runyard.core.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.fleet.StartFailure.Cause;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.run.RunCommand;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ScaleRunnersTest extends FleetRig {
  @Test
  void startsNothingWithoutWork() {
    scale();

    assertEquals(List.of(), fleet.started());
    assertEquals(Fleet.EMPTY, slots.read());
  }

  @Test
  void startsAsManyAsTheRunsNeed() {
    send(5);

    scale();

    assertEquals(List.of(0, 1, 2), fleet.started());
  }

  @Test
  void startsNoMoreThanTheMostHoweverLongTheQueue() {
    send(50);

    scale();
    come();
    scale();

    assertEquals(3, fleet.active());
  }

  @Test
  void startsNothingForRunsThatAreWorkedOnWhereThereIsRoom() {
    send(1);
    scale();
    come();
    queue.receive(1, 0);

    scale();

    assertEquals(List.of(0), fleet.started());
  }

  @Test
  void countsAcceptedRunsThatTheQueueDoesNotShowYet() {
    new ScaleRunners(queue, slots, fleet, size, ids, logged::add).scale(clock, 3);

    assertEquals(List.of(0, 1), fleet.started());
  }

  @Test
  void startsAtMostTenAtOnce() {
    size = new FleetSize(0, 100, 1);
    send(30);

    scale();
    assertEquals(ScaleRunners.START_MAX, fleet.active());
    scale();
    assertEquals(2 * ScaleRunners.START_MAX, fleet.active());
  }

  @Test
  void asksForNoOtherRunnerWhereOneStartGotNoAnswer() {
    send(6);
    fleet.down(true);
    for (int i = 0; i < 3; i++) {
      scale();
    }
    clock.advance(Duration.ofSeconds(SlotSweep.ASK_AGAIN_SECONDS));
    int before = logged.size();

    scale();

    assertEquals(before + 1, logged.size());
    fleet.down(false);
    scale();
    assertEquals(List.of(0, 1, 2), fleet.started());
  }

  @Test
  void keepsTheLeastRunnersWithoutWork() {
    size = new FleetSize(2, 3, 2);

    scale();
    come();
    scale();
    assertEquals(List.of(0, 1), fleet.started());

    leave(0);
    scale();
    assertEquals(List.of(0, 1, 0), fleet.started());
  }

  @Test
  void startsAgainWhatLeftWhileThereIsWork() {
    send(2);
    scale();
    come();
    leave(0);

    scale();

    assertEquals(List.of(0, 0), fleet.started());
  }

  @Test
  void startsAnotherNextToOneThatTakesNoMoreRuns() {
    send(1);
    scale();
    come().getFirst().renew(false, 0, 0);

    scale();

    assertEquals(List.of(0, 1), fleet.started());
  }

  @Test
  void startsAnotherNextToOneThatIsFullOfRunsWithoutMessages() {
    send(1);
    scale();
    SlotHold full = come().getFirst();
    full.renew(true, 0, 0);
    scale();
    assertEquals(List.of(0), fleet.started());

    full.renew(true, 2, 0);
    scale();

    assertEquals(List.of(0, 1), fleet.started());
  }

  @Test
  void countsNoRunsOfARunnerThatTakesNoMoreOrIsSilent() {
    send(1);
    scale();
    come().getFirst().renew(false, 2, 0);
    scale();
    assertEquals(List.of(0, 1), fleet.started());

    come().getLast().renew(true, 2, 0);
    clock.advance(Duration.ofSeconds(Slot.LEASE_SECONDS));
    leave(0);
    leave(1);
    scale();

    assertEquals(List.of(0, 1, 0), fleet.started());
  }

  @Test
  void startsNoOtherWhereAllSlotsAreHeldByRunnersThatOnlyFinish() {
    size = new FleetSize(0, 1, 2);
    send(1);
    scale();
    come().getFirst().renew(false, 0, 0);

    assertEquals(Optional.empty(), scale());

    assertEquals(List.of(0), fleet.started());
  }

  @Test
  void countsTheSlotsOfAGreaterFleetThatWasMadeSmaller() {
    send(6);
    scale();
    come();
    leave(0);
    size = new FleetSize(0, 2, 2);

    scale();

    assertEquals(List.of(0, 1, 2), fleet.started());
  }

  @Test
  void givesASlotAwayWhoseTaskStopped() {
    size = new FleetSize(0, 1, 2);
    send(1);
    scale();
    come();
    fleet.stop("task-1", new StartFailure(Cause.STOPPED, "killed"));

    assertEquals(Optional.empty(), scale());

    assertEquals(List.of(0, 0), fleet.started());
    assertEquals(List.of(), logged, "it had come");
  }

  @Test
  void keepsTheSlotOfASilentRunnerWhoseTaskLives() {
    size = new FleetSize(0, 1, 2);
    send(1);
    scale();
    come();
    clock.advance(Duration.ofSeconds(Slot.SILENT_SECONDS_MAX - 1));
    scale();
    assertEquals(List.of(0), fleet.started());

    clock.advance(Duration.ofSeconds(1));
    scale();
    assertEquals(List.of(0, 0), fleet.started());
  }

  /// A task that was just started may not be shown yet.
  @Test
  void keepsTheSlotOfARunnerThatLivesAndWhoseTaskIsNotShown() {
    size = new FleetSize(0, 1, 2);
    send(1);
    scale();
    come();
    fleet.forget("task-1");

    scale();
    clock.advance(Duration.ofSeconds(Slot.LEASE_SECONDS - 1));
    scale();
    assertEquals(List.of(0), fleet.started());

    clock.advance(Duration.ofSeconds(1));
    scale();
    assertEquals(List.of(0, 0), fleet.started());
  }

  @Test
  void beginsNoStartOnceTheStartsBeforeTookLong() {
    size = new FleetSize(0, 100, 1);
    send(30);
    ScaleRunners slow =
        new ScaleRunners(queue, slots, slowly(Duration.ofSeconds(5)), size, ids, logged::add);

    slow.scale(clock, 0);
    assertEquals(List.of(0, 1, 2), fleet.started());

    slow.scale(clock, 0);
    assertEquals(List.of(0, 1, 2, 3, 4, 5), fleet.started());
  }

  @Test
  void asksAgainForNoMoreRunnersThanThereIsTimeFor() {
    send(6);
    fleet.down(true);
    for (int i = 0; i < 3; i++) {
      scale();
    }
    fleet.down(false);
    clock.advance(Duration.ofSeconds(SlotSweep.ASK_AGAIN_SECONDS));
    Duration call = Duration.ofSeconds(ScaleRunners.STARTING_SECONDS_MAX);

    new ScaleRunners(queue, slots, slowly(call), size, ids, logged::add).scale(clock, 0);

    assertEquals(List.of(0), fleet.started());
  }

  /// The fleet, each start of which takes this long.
  private RunnerFleet slowly(Duration call) {
    return new RunnerFleet() {
      @Override
      public Start start(int slot, String claim) {
        clock.advance(call);
        return fleet.start(slot, claim);
      }

      @Override
      public Map<String, Fate> look(List<String> tasks) {
        return fleet.look(tasks);
      }
    };
  }

  /// A runner whose clock is behind as far as may be still stopped taking runs in time, though
  /// those of functions are ahead.
  @Test
  void stopsTakingRunsBeforeItsSlotIsGivenAwayHoweverClocksDiffer() {
    int ownSeconds = Slot.LEASE_SECONDS - Limits.CLOCK_SKEW_SECONDS_MAX;

    assertTrue(ownSeconds > Slot.TAKE_SECONDS_MAX);
  }

  @Test
  void asksAgainForARunnerWhereTheAnswerWasLost() {
    send(1);
    fleet.down(true);
    scale();
    assertEquals(List.of(Cause.NO_ANSWER), causes());
    fleet.down(false);

    scale();
    assertEquals(List.of(), fleet.started());
    clock.advance(Duration.ofSeconds(SlotSweep.ASK_AGAIN_SECONDS));
    scale();

    assertEquals(List.of(0), fleet.started());
    assertEquals(Optional.of("task-1"), claimed(0).claim().task());
  }

  @Test
  void letsOneOfTwoProcessesOfAClaimWork() {
    send(1);
    scale();
    Slot.Claimed claimed = claimed(0);

    assertTrue(new SlotHold(slots, 0, claimed.claim().token(), "runner-a", clock).take());
    assertFalse(new SlotHold(slots, 0, claimed.claim().token(), "runner-b", clock).take());
    assertFalse(new SlotHold(slots, 0, "other", "runner-a", clock).take());
    assertFalse(new SlotHold(slots, 1, claimed.claim().token(), "runner-a", clock).take());
  }

  @Test
  void aRunnerThatComesAfterItsTimeDoesNothing() {
    size = new FleetSize(0, 1, 2);
    send(1);
    scale();
    Slot.Claimed late = claimed(0);
    clock.advance(Duration.ofSeconds(Slot.START_SECONDS_MAX));

    RunCommand.Block block = scale().orElseThrow();

    assertEquals("not_ready", block.cause());
    assertEquals(List.of(0, 0), fleet.started());
    assertFalse(hold(late).take());
  }

  @Test
  void waitingForASlotIsNoFailure() {
    size = new FleetSize(0, 1, 1);
    send(9);
    scale();
    come();

    assertEquals(Optional.empty(), scale());
    assertEquals(List.of(), logged);
  }
}
