package dev.runyard.local.embedded;

import dev.runyard.core.access.Identity;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.EventLog;
import dev.runyard.runner.isolation.Isolation;
import dev.runyard.runner.process.ProcessTree;
import dev.runyard.runner.process.Reaping;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/// The agents of this store's runs that nobody works on any more. A store has one process at a
/// time, so while that has no runner, every agent of a run in the store is one of them.
///
/// @param isolation by whose users agents are found
record Leftovers(EventLog events, Isolation isolation) {
  private static final Logger LOG = System.getLogger(Leftovers.class.getName());

  /// Ends them, wherever they are.
  void end() {
    Reaping reaping = ProcessTree.sweep(this::isOurs);
    int found = reaping.found() + isolation.end(this::isOurs);
    if (found > 0) {
      LOG.log(Level.INFO, "ended {0} processes that an earlier stack left", found);
    }
  }

  private boolean isOurs(String mark) {
    String[] parts = mark.split("\\.", 2);
    try {
      return events.chunkAt(new RunKey(Identity.TENANT_DEFAULT, parts[0]), 1).isPresent();
    } catch (IllegalArgumentException _) {
      return false;
    }
  }
}
