package dev.runyard.testkit.memory;

import dev.runyard.core.session.SessionQueue;
import dev.runyard.testkit.contract.SessionQueueContract;

class MemorySessionQueueTest extends SessionQueueContract {
  @Override
  protected SessionQueue sessionQueue() {
    return new MemorySessionQueue();
  }
}
