package dev.runyard.core.memory;

import dev.runyard.core.ids.Ids;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.quota.Quotas;
import dev.runyard.core.quota.RunPlaces;
import dev.runyard.core.session.SessionQueue;
import dev.runyard.core.session.ThreadTurns;
import dev.runyard.core.session.TurnOrder;
import dev.runyard.core.thread.ThreadLog;
import java.time.InstantSource;

/// Places of tenants in memory.
public final class MemoryPlaces {
  private MemoryPlaces() {}

  /// Turns in the log, none of which is older than that, with places without end.
  public static TurnOrder turns(
      EventLog log, RunLog runs, RunQueue queue, InstantSource clock, Ids ids) {
    return turns(log, new MemorySessionQueue(), runs, queue, clock, ids);
  }

  /// The same with the orders of an earlier release.
  public static TurnOrder turns(
      EventLog log,
      SessionQueue earlier,
      RunLog runs,
      RunQueue queue,
      InstantSource clock,
      Ids ids) {
    ThreadLog threads = new ThreadLog(log, clock, ids, "memory");
    return new TurnOrder(
        new ThreadTurns(threads, earlier, runs, clock), runs, unlimited(runs, queue));
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
