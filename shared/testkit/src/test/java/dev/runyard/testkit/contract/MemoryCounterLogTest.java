package dev.runyard.testkit.contract;

import dev.runyard.core.log.EventLog;
import dev.runyard.core.memory.MemoryEventLog;

class MemoryCounterLogTest extends CounterLogContract {
  private final EventLog log = new MemoryEventLog();

  @Override
  protected EventLog eventLog() {
    return log;
  }
}
