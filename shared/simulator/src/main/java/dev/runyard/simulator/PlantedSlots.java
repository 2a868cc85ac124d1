package dev.runyard.simulator;

import dev.runyard.core.fleet.Fleet;
import dev.runyard.core.fleet.Slot;
import dev.runyard.core.fleet.Slots;
import dev.runyard.core.fleet.StartTrouble;
import java.time.Duration;

/// The slots with a planted defect.
record PlantedSlots(SimulatedSystem system, Slots slots) implements Slots {
  /// How long a claim is on its way.
  private static final Duration BETWEEN = Duration.ofSeconds(10);

  @Override
  public Fleet read() {
    return slots.read();
  }

  @Override
  public boolean write(Slot slot) {
    if (system.has(Defect.CLAIM_NEVER_FREED)
        && slot instanceof Slot.Free
        && slots.read().slot(slot.number()) instanceof Slot.Claimed) {
      return true;
    }
    if (!system.has(Defect.SLOTS_WRITTEN_WITHOUT_CONDITION)) {
      return slots.write(slot);
    }
    if (slot instanceof Slot.Claimed) {
      system.elapse(BETWEEN);
    }
    long version = slots.read().slot(slot.number()).version() + 1;
    return slots.write(
        switch (slot) {
          case Slot.Free free -> new Slot.Free(free.number(), version);
          case Slot.Claimed claimed -> new Slot.Claimed(claimed.number(), version, claimed.claim());
          case Slot.Held held ->
              new Slot.Held(
                  held.number(),
                  version,
                  held.claim(),
                  held.runner(),
                  held.renewedAt(),
                  held.taking(),
                  held.unqueued(),
                  held.finishing());
        });
  }

  @Override
  public boolean write(StartTrouble trouble) {
    return system.has(Defect.TROUBLE_NOT_NOTED) || slots.write(trouble);
  }
}
