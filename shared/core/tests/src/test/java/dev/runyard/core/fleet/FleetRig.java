package dev.runyard.core.fleet;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.fleet.StartFailure.Cause;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.memory.MemoryRunQueue;
import dev.runyard.core.memory.MemoryRunnerFleet;
import dev.runyard.core.memory.MemorySlots;
import dev.runyard.core.memory.SettableClock;
import dev.runyard.core.run.RunCommand;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/// A backlog, slots and runners in memory, for the code that starts runners.
abstract class FleetRig {
  final SettableClock clock = new SettableClock(Instant.parse("2026-03-01T12:00:00Z"));
  final MemoryRunQueue queue = new MemoryRunQueue(clock, 45);
  final MemorySlots slots = new MemorySlots();
  final MemoryRunnerFleet fleet = new MemoryRunnerFleet();
  final RandomIds ids = new RandomIds(new Random(7));
  final List<StartFailure> logged = new ArrayList<>();
  FleetSize size = new FleetSize(0, 3, 2);

  Optional<RunCommand.Block> scale() {
    return new ScaleRunners(queue, slots, fleet, size, ids, logged::add).scale(clock, 0);
  }

  void send(int runs) {
    for (int i = 0; i < runs; i++) {
      queue.send(new RunKey("acme", ids.runId(clock.instant())), 0);
    }
  }

  /// The runners of all claimed slots start.
  List<SlotHold> come() {
    List<SlotHold> holds = new ArrayList<>();
    for (Slot slot : slots.read().slots()) {
      if (slot instanceof Slot.Claimed claimed) {
        SlotHold hold = hold(claimed);
        assertTrue(hold.take());
        holds.add(hold);
      }
    }
    return holds;
  }

  /// The runner of a slot exits by itself.
  void leave(int number) {
    assertTrue(slots.write(slots.read().slot(number).free()));
  }

  SlotHold hold(Slot.Claimed claimed) {
    return new SlotHold(slots, claimed.number(), claimed.claim().token(), "runner", clock);
  }

  Slot.Claimed claimed(int number) {
    return assertInstanceOf(Slot.Claimed.class, slots.read().slot(number));
  }

  Slot.Held held(int number) {
    return assertInstanceOf(Slot.Held.class, slots.read().slot(number));
  }

  List<Cause> causes() {
    return logged.stream().map(StartFailure::cause).toList();
  }
}
