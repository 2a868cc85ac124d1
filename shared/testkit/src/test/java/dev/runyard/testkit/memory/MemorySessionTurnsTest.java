package dev.runyard.testkit.memory;

import dev.runyard.core.session.SessionTurns;
import dev.runyard.testkit.contract.SessionTurnsContract;

class MemorySessionTurnsTest extends SessionTurnsContract {
  @Override
  protected SessionTurns sessionTurns() {
    return new MemorySessionTurns();
  }
}
