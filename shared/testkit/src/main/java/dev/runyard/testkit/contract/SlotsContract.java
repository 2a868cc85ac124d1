package dev.runyard.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.fleet.Fleet;
import dev.runyard.core.fleet.FleetSize;
import dev.runyard.core.fleet.ScaleRunners;
import dev.runyard.core.fleet.Slot;
import dev.runyard.core.fleet.SlotHold;
import dev.runyard.core.fleet.Slots;
import dev.runyard.core.fleet.StartFailure;
import dev.runyard.core.fleet.StartTrouble;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.memory.MemoryRunQueue;
import dev.runyard.core.memory.MemoryRunnerFleet;
import dev.runyard.core.memory.SettableClock;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What every [Slots] promises.
public abstract class SlotsContract {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00.250Z");
  private static final Slot.Claimed CLAIMED = new Slot.Free(7, 0).claim("claim-1", NOW);
  private Slots slots;

  /// Slots of a fleet nobody has used.
  protected abstract Slots slots();

  @BeforeEach
  void open() {
    slots = slots();
  }

  @Test
  void hasNothingBeforeTheFirstWrite() {
    assertEquals(Fleet.EMPTY, slots.read());
    assertEquals(new Slot.Free(999, 0), slots.read().slot(999));
  }

  @Test
  void keepsEveryKindOfSlotAsItWas() {
    Slot.Claim known = new Slot.Claim("claim-2", NOW, Optional.of("task-2"));
    List<Slot> written =
        List.of(
            CLAIMED,
            new Slot.Claimed(8, 1, known),
            new Slot.Held(9, 1, known, "runner-1", NOW.plusMillis(1), false, 3, 4),
            new Slot.Held(10, 1, CLAIMED.claim(), "runner-2", NOW, true, 0, 0),
            new Slot.Free(999, 1));

    written.forEach(slot -> assertTrue(slots.write(slot)));

    assertEquals(written, slots.read().slots());
  }

  @Test
  void refusesAWriteFromAnOlderVersion() {
    slots.write(CLAIMED);

    assertFalse(slots.write(new Slot.Free(7, 0).claim("claim-2", NOW)));
    Slot.Held held = new Slot.Held(7, 2, CLAIMED.claim(), "runner-1", NOW, true, 0, 0);
    assertTrue(slots.write(held));
    assertFalse(slots.write(CLAIMED.free()));
    assertFalse(slots.write(new Slot.Free(7, 9)));
    assertEquals(held, slots.read().slot(7));
  }

  @Test
  void recognisesItsOwnEarlierWrite() {
    assertTrue(slots.write(CLAIMED));
    assertTrue(slots.write(CLAIMED), "the answer to the first may have been lost");
  }

  @Test
  void letsOneOfManyClaimsWin() throws Exception {
    List<Boolean> won = Race.run(i -> slots.write(new Slot.Free(7, 0).claim("claim-" + i, NOW)));

    assertEquals(1, won.stream().filter(Boolean::booleanValue).count());
    assertEquals(
        "claim-" + won.indexOf(true), ((Slot.Claimed) slots.read().slot(7)).claim().token());
  }

  @Test
  void keepsWhatIsKnownOfFailingStarts() {
    StartTrouble trouble =
        new StartTrouble(1, StartFailure.Cause.NO_IMAGE, NOW, NOW.plusSeconds(60));
    StartTrouble over = new StartTrouble(2, null, NOW, NOW.plusSeconds(60));

    assertTrue(slots.write(trouble));
    assertEquals(new Fleet(List.of(), trouble), slots.read());
    assertFalse(slots.write(new StartTrouble(1, StartFailure.Cause.QUOTA, NOW, NOW)));
    assertTrue(slots.write(over));
    assertEquals(over, slots.read().trouble());
  }

  @Test
  void keepsSinceWhenOnlyTheOperatorCanHelp() {
    StartTrouble broken =
        new StartTrouble(1, StartFailure.Cause.NO_IMAGE, NOW, NOW.plusSeconds(60), NOW);
    StartTrouble busy = new StartTrouble(2, StartFailure.Cause.THROTTLED, NOW, NOW.plusSeconds(90));

    assertTrue(slots.write(broken));
    assertEquals(broken, slots.read().trouble());
    assertTrue(slots.write(busy));
    assertEquals(busy, slots.read().trouble());
  }

  @Test
  void startsNoMoreRunnersThanWantedHoweverManyLookAtOnce() throws Exception {
    MemoryRunnerFleet fleet = new MemoryRunnerFleet();
    ScaleRunners scale = scale(fleet, 7);

    Race.run(_ -> scale.scale(() -> NOW, 0));

    assertEquals(5, fleet.active());
    assertEquals(Set.of(0, 1, 2, 3, 4), Set.copyOf(fleet.started()));
  }

  /// Runners start and exit while others scale: there are never more that may work than the limit,
  /// and never two of one slot.
  @Test
  void neverHoldsMoreSlotsThanTheMost() throws Exception {
    MemoryRunnerFleet fleet = new MemoryRunnerFleet();
    ScaleRunners scale = scale(fleet, 3);
    SettableClock clock = new SettableClock(NOW);
    Living living = new Living();

    Race.run(
        thread -> {
          for (int round = 0; round < 6; round++) {
            scale.scale(() -> NOW, 0);
            List<SlotHold> holds = holds(clock, thread + "-" + round);
            holds.forEach(living::came);
            scale.scale(() -> NOW, 0);
            holds.forEach(living::leaves);
            holds.forEach(SlotHold::release);
          }
          return true;
        });

    assertEquals(1, living.mostOfOne.get(), "runners in one slot");
    assertTrue(living.most.get() <= 3, () -> living.most + " runners at once");
    assertTrue(fleet.started().size() > 3, "slots were used again");
  }

  /// The runners that have taken a slot and not given it back.
  private static final class Living {
    private final Map<Integer, Integer> bySlot = new HashMap<>();
    private final AtomicInteger most = new AtomicInteger();
    private final AtomicInteger mostOfOne = new AtomicInteger();

    synchronized void came(SlotHold hold) {
      int ofOne = bySlot.merge(hold.number(), 1, Integer::sum);
      int all = bySlot.values().stream().mapToInt(Integer::intValue).sum();
      mostOfOne.accumulateAndGet(ofOne, Math::max);
      most.accumulateAndGet(all, Math::max);
    }

    synchronized void leaves(SlotHold hold) {
      bySlot.merge(hold.number(), -1, Integer::sum);
    }
  }

  private List<SlotHold> holds(SettableClock clock, String runner) {
    return slots.read().slots().stream()
        .filter(Slot.Claimed.class::isInstance)
        .map(Slot.Claimed.class::cast)
        .map(slot -> new SlotHold(slots, slot.number(), slot.claim().token(), runner, clock))
        .filter(SlotHold::take)
        .collect(Collectors.toList());
  }

  private static RunKey run(int number) {
    return new RunKey("acme", "019c0000-0000-7000-8000-%012d".formatted(number));
  }

  /// A backlog for five runners.
  private ScaleRunners scale(MemoryRunnerFleet fleet, int max) {
    MemoryRunQueue queue = new MemoryRunQueue(new SettableClock(NOW), 45);
    IntStream.range(0, 10).forEach(i -> queue.send(run(i), 0));
    return new ScaleRunners(
        queue,
        slots,
        fleet,
        new FleetSize(0, max, 2),
        new RandomIds(new Random(7)),
        failure -> {
          throw new AssertionError(failure);
        });
  }
}
