package dev.runyard.testkit.contract;

import dev.runyard.core.memory.MemorySessionQueue;
import dev.runyard.core.session.SessionQueue;

class MemorySessionTurnsTest extends SessionQueueContract {
  @Override
  protected SessionQueue sessionQueue() {
    return new MemorySessionQueue();
  }
}
