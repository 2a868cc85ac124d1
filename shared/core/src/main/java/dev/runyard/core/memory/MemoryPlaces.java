package dev.runyard.core.memory;

import dev.runyard.core.log.RunLog;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.quota.Quotas;
import dev.runyard.core.quota.RunPlaces;
import dev.runyard.core.session.TurnOrder;

/// Places of tenants in memory.
public final class MemoryPlaces {
  private MemoryPlaces() {}

  /// Turns of sessions in memory, with places without end.
  public static TurnOrder turns(RunLog runs, RunQueue queue) {
    return new TurnOrder(new MemorySessionQueue(), runs, unlimited(runs, queue));
  }

  /// Places without end.
  public static RunPlaces unlimited(RunLog runs, RunQueue queue) {
    return new RunPlaces(
        Quotas.NONE,
        new RunPlaces.Counts(new MemoryTenantUses(), new MemoryHeldRuns()),
        runs,
        queue);
  }
}
