package dev.runyard.testkit.contract;

import dev.runyard.core.fleet.Slots;
import dev.runyard.core.memory.MemorySlots;

class MemorySlotsTest extends SlotsContract {
  private final Slots slots = new MemorySlots();

  @Override
  protected Slots slots() {
    return slots;
  }
}
