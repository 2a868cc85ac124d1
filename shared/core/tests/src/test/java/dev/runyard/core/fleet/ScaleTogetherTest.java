package dev.runyard.core.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.runyard.core.fleet.StartFailure.Cause;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.run.RunCommand;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// What several functions and runners do to the same slots at once.
class ScaleTogetherTest extends FleetRig {
  private final BusySlots busy = new BusySlots(slots);

  @Test
  void claimsTheNextSlotWhereSomebodyElseWasFaster() {
    send(4);
    busy.before(() -> slots.write(new Slot.Free(0, 0).claim("other", clock.instant())));

    scaleBeside(fleet);

    assertEquals(List.of(1), fleet.started());
  }

  @Test
  void startsNothingWhereSomebodyElseIsAlwaysFaster() {
    send(1);
    busy.always();

    assertEquals(Optional.empty(), scaleBeside(fleet));

    assertEquals(List.of(), fleet.started());
  }

  @Test
  void recordsTheTaskOfARunnerThatHasAlreadyComeAndRenewsItsSlot() {
    send(1);

    scaleBeside(whileStarting(claim -> new SlotHold(slots, 0, claim, "runner", clock).take()));

    Slot.Held held = assertInstanceOf(Slot.Held.class, slots.read().slot(0));
    assertEquals(Optional.of("task-1"), held.claim().task());
    assertEquals("runner", held.runner());
  }

  @Test
  void recordsNoTaskInASlotThatIsFreeAgain() {
    send(1);

    scaleBeside(whileStarting(_ -> leave(0)));

    assertInstanceOf(Slot.Free.class, slots.read().slot(0));
  }

  @Test
  void recordsNoTaskInASlotOfAnotherClaim() {
    send(1);

    scaleBeside(
        whileStarting(
            _ -> {
              leave(0);
              Slot.Claimed other = free(0).claim("other", clock.instant());
              slots.write(other);
              slots.write(other.hold("other-runner", clock.instant()));
            }));

    Slot.Held held = assertInstanceOf(Slot.Held.class, slots.read().slot(0));
    assertEquals(Optional.empty(), held.claim().task());
    assertEquals("other-runner", held.runner());
  }

  @Test
  void keepsTheTaskThatSomebodyElseRecorded() {
    send(1);

    scaleBeside(whileStarting(_ -> slots.write(claimed(0).task("task-of-other"))));

    assertEquals(Optional.of("task-of-other"), claimed(0).claim().task());
  }

  @Test
  void keepsTheTaskThatSomebodyElseRecordedOfARunnerThatHasCome() {
    send(1);

    scaleBeside(
        whileStarting(
            claim -> {
              slots.write(claimed(0).task("task-of-other"));
              new SlotHold(slots, 0, claim, "runner", clock).take();
            }));

    Slot.Held held = assertInstanceOf(Slot.Held.class, slots.read().slot(0));
    assertEquals(Optional.of("task-of-other"), held.claim().task());
  }

  @Test
  void reportsTheTroubleThatSomebodyElseRecordedAtTheSameTime() {
    send(1);
    fleet.refuse(Optional.of(new StartFailure(Cause.THROTTLED, "slow down")));
    StartTrouble other = StartTrouble.NONE.failed(Cause.QUOTA, false, clock.instant());
    BusySlots troubled =
        new BusySlots(slots) {
          @Override
          public boolean write(StartTrouble trouble) {
            slots.write(other);
            return super.write(trouble);
          }
        };

    RunCommand.Block block =
        new ScaleRunners(queue, troubled, fleet, size, ids, logged::add)
            .scale(clock, 0)
            .orElseThrow();

    assertEquals("quota", block.cause());
  }

  @Test
  void asksForNoOtherRunnerOnceAnEarlierOneGotNoAnswerAgain() {
    send(6);
    fleet.down(true);
    scale();
    clock.advance(Duration.ofSeconds(SlotSweep.ASK_AGAIN_SECONDS));

    scale();

    assertEquals(List.of(Cause.NO_ANSWER, Cause.NO_ANSWER), causes());
    assertEquals(1, slots.read().slots().size());
  }

  /// The service may not show a task that was just started.
  @Test
  void givesAStartUpWhoseTaskIsNotShownForLong() {
    size = new FleetSize(0, 1, 2);
    send(1);
    scale();
    fleet.forget("task-1");
    clock.advance(Duration.ofSeconds(SlotSweep.SHOWN_SECONDS_MAX - 1));
    assertEquals(Optional.empty(), scale());
    assertEquals(List.of(0), fleet.started());

    clock.advance(Duration.ofSeconds(1));

    assertEquals("stopped", scale().orElseThrow().cause());
    assertEquals(List.of(0, 0), fleet.started());
  }

  /// The function that claimed the slot may have a late clock, and the one that looks an early one.
  @Test
  void givesNoStartUpWhoseTaskCouldNotBeShownYetByAnyClock() {
    send(1);
    scale();
    fleet.forget("task-1");
    clock.advance(Duration.ofSeconds(Limits.CLOCK_SKEW_SECONDS_MAX));

    assertEquals(Optional.empty(), scale());
    assertEquals(List.of(0), fleet.started());
  }

  @Test
  void countsRunsThatAreWorkedOnBesideThoseThatWait() {
    size = new FleetSize(0, 3, 1);
    send(2);
    scale();
    come();
    queue.receive(2, 0);
    send(1);

    scale();

    assertEquals(List.of(0, 1, 2), fleet.started());
  }

  @Test
  void troubleConcernsNoRunWhereEnoughRunnersWork() {
    send(1);
    scale();
    come();
    send(2);
    fleet.refuse(Optional.of(new StartFailure(Cause.NO_CAPACITY, "full")));
    clock.advance(Duration.ofSeconds(1));
    assertEquals("no_capacity", scale().orElseThrow().cause());

    queue.receive(2, 0).forEach(queue::delete);

    assertEquals(Optional.empty(), scale());
  }

  private Slot.Free free(int number) {
    return assertInstanceOf(Slot.Free.class, slots.read().slot(number));
  }

  private Optional<RunCommand.Block> scaleBeside(RunnerFleet runners) {
    return new ScaleRunners(queue, busy, runners, size, ids, logged::add).scale(clock, 0);
  }

  /// The fleet; others do something with the claim while a start is asked for.
  private RunnerFleet whileStarting(Consumer<String> others) {
    return new RunnerFleet() {
      @Override
      public Start start(int slot, String claim) {
        Start start = fleet.start(slot, claim);
        others.accept(claim);
        return start;
      }

      @Override
      public Map<String, Fate> look(List<String> tasks) {
        return fleet.look(tasks);
      }
    };
  }
}
