package dev.runyard.testkit.contract;

import dev.runyard.core.job.JobItems;
import dev.runyard.core.memory.MemoryJobPorts;

class MemoryJobItemsTest extends JobItemsContract {
  @Override
  protected JobItems jobItems() {
    return new MemoryJobPorts().items();
  }
}
