package dev.runyard.core.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.fleet.StartFailure.Cause;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.run.RunCommand;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StartTroubleTest extends FleetRig {
  @Test
  void saysWhyNoneStartsAndClaimsNothing() {
    send(1);
    fleet.refuse(Optional.of(new StartFailure(Cause.NO_CAPACITY, "RESOURCE:CPU")));

    RunCommand.Block block = scale().orElseThrow();

    assertEquals("no_capacity", block.cause());
    assertEquals("runner_start_failed", block.failure().code());
    assertTrue(block.noRunner());
    assertInstanceOf(Slot.Free.class, slots.read().slot(0));
    assertEquals(1, logged.size(), "the first that fails ends the look");
  }

  @Test
  void keepsTheBeginningOfTroubleAndReportsTheNewestCause() {
    send(1);
    Instant begin = clock.instant();
    fleet.refuse(Optional.of(new StartFailure(Cause.THROTTLED, "slow down")));
    scale();
    clock.advance(Duration.ofMinutes(1));
    fleet.refuse(Optional.of(new StartFailure(Cause.QUOTA, "limit")));

    RunCommand.Block block = scale().orElseThrow();

    assertEquals(begin, block.since());
    assertEquals("quota", block.cause());
  }

  @Test
  void seesATaskThatStopsBeforeItCame() {
    send(1);
    scale();
    fleet.stop("task-1", new StartFailure(Cause.NO_IMAGE, "CannotPullContainerError"));
    clock.advance(Duration.ofSeconds(50));

    RunCommand.Block block = scale().orElseThrow();

    assertEquals("no_image", block.cause());
    assertEquals(List.of(0, 0), fleet.started(), "and tries again");
    clock.advance(Duration.ofSeconds(10));
    RunCommand.Block meanwhile = scale().orElseThrow();
    assertEquals(block.since(), meanwhile.since(), "still known meanwhile");
    assertEquals(Limits.BLOCKED_SECONDS_MAX, meanwhile.secondsMax(), "the next may succeed");
    fleet.stop("task-2", new StartFailure(Cause.NO_IMAGE, "CannotPullContainerError"));
    assertEquals(Limits.BROKEN_SECONDS_MAX, scale().orElseThrow().secondsMax());
  }

  @ParameterizedTest
  @EnumSource
  void isReadAgainAlsoFromANewerRelease(Cause cause) {
    assertEquals(cause, Cause.of(cause.wire()));
    assertEquals(Cause.STOPPED, Cause.of(cause.wire() + "_of_a_newer_release"));
  }

  @ParameterizedTest
  @EnumSource
  void givesUpSoonOnlyWhatTheOperatorAloneCanRemove(Cause cause) {
    send(1);
    fleet.refuse(Optional.of(new StartFailure(cause, "simulated")));
    scale();
    clock.advance(Duration.ofMinutes(1));

    boolean broken =
        Set.of(Cause.NO_IMAGE, Cause.NO_ISOLATION, Cause.OUTDATED_RUNNER).contains(cause);
    assertEquals(
        broken ? Limits.BROKEN_SECONDS_MAX : Limits.BLOCKED_SECONDS_MAX,
        scale().orElseThrow().secondsMax());
  }

  /// A start may succeed where the failures before it had causes of other kinds.
  @Test
  void givesUpSoonOnlyOnceNothingElseHasFailedForAsLong() {
    send(1);
    assertEquals(Limits.BLOCKED_SECONDS_MAX, aMinuteLater(Cause.NO_IMAGE));
    assertEquals(Limits.BLOCKED_SECONDS_MAX, aMinuteLater(Cause.THROTTLED));
    assertEquals(Limits.BLOCKED_SECONDS_MAX, aMinuteLater(Cause.NO_IMAGE));
    assertEquals(Limits.BLOCKED_SECONDS_MAX, aMinuteLater(Cause.THROTTLED));
    assertEquals(Limits.BLOCKED_SECONDS_MAX, aMinuteLater(Cause.NO_IMAGE), "the first of them");
    Instant first = clock.instant();
    assertEquals(Limits.BROKEN_SECONDS_MAX, aMinuteLater(Cause.OUTDATED_RUNNER));
    assertEquals(first, scale().orElseThrow().brokenSince());
  }

  private int aMinuteLater(Cause cause) {
    clock.advance(Duration.ofMinutes(1));
    fleet.refuse(Optional.of(new StartFailure(cause, "simulated")));
    return scale().orElseThrow().secondsMax();
  }

  @Test
  void namesTheCauseThatMayPassWhereSeveralFailAtOnce() {
    send(4);
    scale();
    fleet.stop("task-1", new StartFailure(Cause.NO_CAPACITY, "full"));
    fleet.stop("task-2", new StartFailure(Cause.NO_IMAGE, "CannotPullContainerError"));
    clock.advance(Duration.ofSeconds(50));

    assertEquals("no_capacity", scale().orElseThrow().cause());
  }

  @Test
  void troubleIsOverWhenARunnerComes() {
    send(1);
    fleet.refuse(Optional.of(new StartFailure(Cause.NO_CAPACITY, "full")));
    scale();
    fleet.refuse(Optional.empty());
    clock.advance(Duration.ofMinutes(1));
    scale();
    come();

    assertEquals(Optional.empty(), scale());
    leave(0);
    clock.advance(Duration.ofMinutes(1));
    fleet.refuse(Optional.of(new StartFailure(Cause.NO_CAPACITY, "full")));
    assertEquals(clock.instant(), scale().orElseThrow().since(), "trouble of its own");
  }

  @Test
  void anOldTroubleSaysNothingOfNow() {
    send(1);
    fleet.refuse(Optional.of(new StartFailure(Cause.NO_CAPACITY, "full")));
    scale();
    fleet.refuse(Optional.empty());
    clock.advance(Duration.ofSeconds(StartTrouble.KNOWN_SECONDS_MAX));

    assertEquals(Optional.empty(), scale());
  }

  @Test
  void runsThatWaitWhileARunnerWorksKnowTheCauseAndAreNotGivenUp() {
    send(1);
    scale();
    come();
    send(9);
    clock.advance(Duration.ofSeconds(1));
    fleet.refuse(Optional.of(new StartFailure(Cause.NO_CAPACITY, "full")));

    assertFalse(scale().orElseThrow().noRunner());
  }

  @Test
  void failsOnceAllElseIsDoneIfItCannotSeeWhichRunnersAreGone() {
    send(1);
    scale();
    send(4);
    ScaleRunners blind = new ScaleRunners(queue, slots, unseen(), size, ids, logged::add);

    assertThrows(PortUnavailable.class, () -> blind.scale(clock, 0));
    assertEquals(List.of(0, 1, 2), fleet.started());
  }

  @Test
  void saysWhyNoneStartsEvenIfItCannotSeeWhichRunnersAreGone() {
    send(1);
    scale();
    send(4);
    fleet.refuse(Optional.of(new StartFailure(Cause.QUOTA, "limit")));
    ScaleRunners blind = new ScaleRunners(queue, slots, unseen(), size, ids, logged::add);

    assertEquals("quota", blind.scale(clock, 0).orElseThrow().cause());
  }

  /// The fleet without the right to look at its tasks.
  private RunnerFleet unseen() {
    return new RunnerFleet() {
      @Override
      public Start start(int slot, String claim) {
        return fleet.start(slot, claim);
      }

      @Override
      public Map<String, Fate> look(List<String> tasks) {
        throw new PortUnavailable("refused");
      }
    };
  }
}
