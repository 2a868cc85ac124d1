package dev.runyard.testkit.memory;

import dev.runyard.core.fleet.Slots;
import dev.runyard.testkit.contract.SlotsContract;

class MemorySlotsTest extends SlotsContract {
  private final Slots slots = new MemorySlots();

  @Override
  protected Slots slots() {
    return slots;
  }
}
