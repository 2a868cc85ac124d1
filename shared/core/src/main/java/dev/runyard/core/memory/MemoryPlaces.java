package dev.runyard.core.memory;

import dev.runyard.core.log.RunLog;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.quota.Quotas;
import dev.runyard.core.quota.RunPlaces;

/// Places of tenants in memory.
public final class MemoryPlaces {
  private MemoryPlaces() {}

  /// Places without end.
  public static RunPlaces unlimited(RunLog runs, RunQueue queue) {
    return new RunPlaces(
        Quotas.NONE,
        new RunPlaces.Counts(new MemoryTenantUses(), new MemoryHeldRuns()),
        runs,
        queue);
  }
}
