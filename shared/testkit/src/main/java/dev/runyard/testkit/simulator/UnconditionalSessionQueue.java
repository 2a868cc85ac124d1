package dev.runyard.testkit.simulator;

import dev.runyard.core.session.SessionQueue;

/// The defect of [Defect#TURNS_WRITTEN_WITHOUT_CONDITION].
record UnconditionalSessionQueue(SessionQueue turns) implements SessionQueue {
  @Override
  public Turns read(String tenant, String sessionId) {
    return turns.read(tenant, sessionId);
  }

  @Override
  public boolean write(String tenant, String sessionId, Turns next) {
    return turns.write(
        tenant, sessionId, new Turns(turns.read(tenant, sessionId).version(), next.runs()));
  }
}
