package dev.runyard.core.memory;

import dev.runyard.core.fleet.Fleet;
import dev.runyard.core.fleet.Slot;
import dev.runyard.core.fleet.Slots;
import dev.runyard.core.fleet.StartTrouble;
import dev.runyard.core.problem.PortUnavailable;
import java.util.List;
import java.util.TreeMap;

/// Slots in memory.
public final class MemorySlots implements Slots {
  private final TreeMap<Integer, Slot> slots = new TreeMap<>();
  private StartTrouble trouble = StartTrouble.NONE;
  private boolean down;

  /// Answers nothing while it is down.
  public synchronized void down(boolean now) {
    down = now;
  }

  @Override
  public synchronized Fleet read() {
    if (down) {
      throw new PortUnavailable("no answer");
    }
    return new Fleet(List.copyOf(slots.values()), trouble);
  }

  @Override
  public synchronized boolean write(Slot slot) {
    Slot there = read().slot(slot.number());
    if (there.version() != slot.version() - 1) {
      return there.equals(slot);
    }
    slots.put(slot.number(), slot);
    return true;
  }

  @Override
  public synchronized boolean write(StartTrouble next) {
    if (read().trouble().version() != next.version() - 1) {
      return trouble.equals(next);
    }
    trouble = next;
    return true;
  }
}
