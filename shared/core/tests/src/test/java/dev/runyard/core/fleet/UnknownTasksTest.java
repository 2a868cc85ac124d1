package dev.runyard.core.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.fleet.StartFailure.Cause;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.memory.SettableClock;
import dev.runyard.core.problem.PortUnavailable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Runners that work in a slot though the answer to their start was lost, so that nobody knows
/// which task they are.
final class UnknownTasksTest extends FleetRig {
  private final List<String> asked = new ArrayList<>();

  /// A runner of a fleet of one that has taken its slot, and a run that waits.
  private SlotHold unknown() {
    size = new FleetSize(0, 1, 2);
    send(1);
    return unknown(0);
  }

  private SlotHold unknown(int number) {
    long version = slots.read().slot(number).version();
    Slot.Claimed claimed = new Slot.Free(number, version).claim("claim-" + number, clock.instant());
    assertTrue(slots.write(claimed));
    fleet.start(number, claimed.claim().token());
    SlotHold hold = hold(claimed);
    assertTrue(hold.take());
    return hold;
  }

  private void scale(Consumer<String> before) {
    RunnerFleet runners =
        new RunnerFleet() {
          @Override
          public Start start(int slot, String claim) {
            asked.add(claim);
            before.accept(claim);
            return fleet.start(slot, claim);
          }

          @Override
          public Map<String, Fate> look(List<String> tasks) {
            return fleet.look(tasks);
          }
        };
    ScaleRunners scale = new ScaleRunners(queue, slots, runners, size, ids, logged::add);
    var _ = scale.scale(clock, 0);
    scale.name(clock);
  }

  private static void assertKept(SlotHold hold) {
    hold.renew(true, 0, 0);
    assertFalse(hold.lost());
  }

  private static void assertLost(SlotHold hold) {
    hold.renew(true, 0, 0);
    assertTrue(hold.lost());
  }

  private static void unavailable() {
    throw new PortUnavailable("no answer");
  }

  @Test
  void keepASlotThatIsSilentWhileTheirTaskLives() {
    SlotHold hold = unknown();
    clock.advance(Duration.ofSeconds(Slot.TAKE_SECONDS_MAX));
    scale(_ -> {});
    assertEquals(Optional.of("task-1"), held(0).claim().task());

    clock.advance(Duration.ofSeconds(2 * Slot.LEASE_SECONDS));
    scale(_ -> {});

    assertEquals(1, fleet.active());
    assertKept(hold);
  }

  @Test
  void loseTheSlotOnceTheirTaskIsKnownToHaveStopped() {
    unknown();
    fleet.stop("task-1", new StartFailure(Cause.STOPPED, "killed"));
    clock.advance(Duration.ofSeconds(Slot.TAKE_SECONDS_MAX));
    scale(_ -> {});
    scale(_ -> {});

    assertEquals(List.of(0, 0), fleet.started());
  }

  /// A service that looked for the claim, and has a runner of it, would have named that.
  @Test
  void loseTheSlotAfterTheirLeaseWhereTheServiceHasNoneOfTheirClaim() {
    SlotHold hold = unknown();
    fleet.forget("task-1");
    fleet.fill(new StartFailure(Cause.NO_CAPACITY, "none"));
    clock.advance(Duration.ofSeconds(Slot.LEASE_SECONDS - 1));
    scale(_ -> {});
    assertFalse(hold.mayTake(), "it stopped taking runs long before");
    assertEquals(Cause.NO_CAPACITY, logged.getLast().cause());
    assertKept(hold);

    clock.advance(Duration.ofSeconds(Slot.LEASE_SECONDS));
    scale(_ -> {});
    assertLost(hold);
  }

  /// It may refuse before it looks for their claim: their agents may live.
  @ParameterizedTest
  @EnumSource
  void keepTheSlotWhereTheServiceRefusesWithoutALook(Cause cause) {
    SlotHold hold = unknown();
    fleet.refuse(Optional.of(new StartFailure(cause, "refused")));
    clock.advance(Duration.ofSeconds(2 * Slot.LEASE_SECONDS));
    scale(_ -> {});
    assertEquals(cause, logged.getLast().cause());

    assertKept(hold);
    assertEquals(1, fleet.active());
  }

  /// The slot does not stay with a runner that is gone.
  @Test
  void loseTheSlotInTheEndThoughTheServiceRefusesForGood() {
    SlotHold hold = unknown();
    fleet.refuse(Optional.of(new StartFailure(Cause.REFUSED, "expired token")));
    clock.advance(Duration.ofSeconds(Slot.SILENT_SECONDS_MAX - 1));
    scale(_ -> {});
    assertEquals("runner", held(0).runner());
    clock.advance(Duration.ofSeconds(1));
    scale(_ -> {});

    assertLost(hold);
  }

  @Test
  void keepTheSlotWhileTheServiceDoesNotAnswer() {
    SlotHold hold = unknown();
    clock.advance(Duration.ofSeconds(2 * Slot.LEASE_SECONDS));
    scale(_ -> unavailable());
    assertEquals(1, asked.size());

    assertKept(hold);
  }

  /// So that it is known already when it matters.
  @Test
  void areAskedForOnceThoughTheyRenewTheirSlot() {
    SlotHold hold = unknown();
    scale(_ -> {});
    assertEquals(List.of(), asked, "its own start may still be answered");
    for (int i = 0; i < 10; i++) {
      clock.advance(Duration.ofSeconds(Slot.RENEW_SECONDS));
      hold.renew(true, 0, 0);
      scale(_ -> {});
    }
    assertEquals(List.of("claim-0"), asked);
    assertEquals(Optional.of("task-1"), held(0).claim().task());
    assertKept(hold);
  }

  /// No run lacks a runner for it.
  @Test
  void thatRenewTheirSlotAreNoFailuresWhereTheServiceDoesNotNameThem() {
    SlotHold hold = unknown();
    fleet.refuse(Optional.of(new StartFailure(Cause.THROTTLED, "not now")));
    clock.advance(Duration.ofSeconds(Slot.RENEW_SECONDS));
    hold.renew(true, 0, 0);
    scale(_ -> {});

    assertEquals(List.of("claim-0"), asked);
    assertEquals(List.of(), logged);
  }

  /// Their clock is behind as far as may be.
  @Test
  void thatRenewTheirSlotByALateClockAreNoFailuresEither() {
    SlotHold hold = unknown();
    SettableClock late =
        new SettableClock(clock.instant().minusSeconds(Limits.CLOCK_SKEW_SECONDS_MAX - 1));
    SlotHold same = new SlotHold(slots, 0, held(0).claim().token(), held(0).runner(), late);
    assertTrue(same.take());
    fleet.refuse(Optional.of(new StartFailure(Cause.THROTTLED, "not now")));
    clock.advance(Duration.ofSeconds(Slot.RENEW_SECONDS));
    scale(_ -> {});

    assertEquals(List.of("claim-0"), asked);
    assertEquals(List.of(), logged);
    assertTrue(hold.mayTake());
  }

  /// ECS knows tokens for a day.
  @Test
  void areNotAskedForWithATokenThatIsForgotten() {
    SlotHold hold = unknown();
    clock.advance(Duration.ofSeconds(SlotSweep.TOKEN_SECONDS_MAX));
    hold.renew(true, 0, 0);
    clock.advance(Duration.ofSeconds(Slot.LEASE_SECONDS - 1));
    scale(_ -> {});
    assertEquals(List.of(), asked);
    assertKept(hold);
    clock.advance(Duration.ofSeconds(Slot.LEASE_SECONDS));
    scale(_ -> {});

    assertLost(hold);
  }

  @Test
  void areAskedForAfterOthersWereStarted() {
    size = new FleetSize(0, 5, 2);
    for (int i = 0; i < 3; i++) {
      unknown(i);
    }
    send(10);
    clock.advance(Duration.ofSeconds(Slot.TAKE_SECONDS_MAX));
    scale(
        claim -> {
          clock.advance(Duration.ofSeconds(5));
          if (claim.startsWith("claim-")) {
            unavailable();
          }
        });

    assertEquals(List.of(0, 1, 2, 3, 4), fleet.started());
    assertEquals(List.of("claim-0", "claim-1", "claim-2"), asked.subList(2, asked.size()));
    assertEquals(List.of(), logged, "no start of a run's runner failed");
  }
}
