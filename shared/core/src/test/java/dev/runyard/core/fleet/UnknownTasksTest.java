package dev.runyard.core.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.fleet.StartFailure.Cause;
import dev.runyard.core.problem.PortUnavailable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

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

  /// A service that has started one for the claim would have named it.
  @Test
  void loseTheSlotAfterTheirLeaseWhereTheServiceRefuses() {
    for (Cause cause : List.of(Cause.NO_CAPACITY, Cause.REFUSED)) {
      SlotHold hold = unknown();
      fleet.refuse(Optional.of(new StartFailure(cause, "none")));
      clock.advance(Duration.ofSeconds(Slot.LEASE_SECONDS - 1));
      scale(_ -> {});
      assertFalse(hold.mayTake(), "it stopped taking runs long before");
      assertEquals(cause, logged.getLast().cause());
      assertKept(hold);

      clock.advance(Duration.ofSeconds(Slot.LEASE_SECONDS));
      scale(_ -> {});
      assertLost(hold);
      fleet.refuse(Optional.empty());
      leave(0);
    }
  }

  @Test
  void keepTheSlotWhileTheServiceDoesNotSay() {
    SlotHold hold = unknown();
    clock.advance(Duration.ofSeconds(2 * Slot.LEASE_SECONDS));
    scale(_ -> unavailable());
    fleet.refuse(Optional.of(new StartFailure(Cause.THROTTLED, "not now")));
    scale(_ -> {});
    assertEquals(2, asked.size());

    assertKept(hold);
  }

  @Test
  void areNotAskedForWhileTheyRenewTheirSlot() {
    SlotHold hold = unknown();
    for (int i = 0; i < 60; i++) {
      clock.advance(Duration.ofSeconds(Slot.RENEW_SECONDS));
      hold.renew(true, 0, 0);
      scale(_ -> {});
    }
    assertEquals(List.of(), asked);
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
