package dev.runyard.testkit.contract;

import dev.runyard.core.memory.MemoryHeldRuns;
import dev.runyard.core.quota.HeldRuns;

class MemoryHeldRunsTest extends HeldRunsContract {
  @Override
  protected HeldRuns heldRuns() {
    return new MemoryHeldRuns();
  }
}
