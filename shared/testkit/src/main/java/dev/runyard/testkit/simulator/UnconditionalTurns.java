package dev.runyard.testkit.simulator;

import dev.runyard.core.session.SessionTurns;

/// The defect of [Defect#TURNS_WRITTEN_WITHOUT_CONDITION].
record UnconditionalTurns(SessionTurns turns) implements SessionTurns {
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
