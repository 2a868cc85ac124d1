package dev.runyard.local.embedded;

import dev.runyard.core.ids.RunKey;
import dev.runyard.embedded.EmbeddedStore;
import dev.runyard.runner.isolation.Isolation;
import dev.runyard.runner.process.ProcessTree;
import dev.runyard.runner.process.Reaping;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;

/// The agents of this store's runs that nobody works on any more. A store has one process at a
/// time, so while that has no runner, every agent of a run in the store is one of them.
///
/// @param isolation by whose users agents are found
record Leftovers(EmbeddedStore store, Isolation isolation) {
  private static final Logger LOG = System.getLogger(Leftovers.class.getName());

  /// Ends them, wherever they are.
  void end() {
    List<String> tenants = store.tenants();
    Reaping reaping = ProcessTree.sweep(mark -> isOurs(mark, tenants));
    int found = reaping.found() + isolation.end(mark -> isOurs(mark, tenants));
    if (found > 0) {
      LOG.log(Level.INFO, "ended {0} processes that an earlier stack left", found);
    }
  }

  /// A mark names the run but not its tenant.
  private boolean isOurs(String mark, List<String> tenants) {
    String run = mark.split("\\.", 2)[0];
    return RunKey.isRunId(run)
        && tenants.stream()
            .anyMatch(tenant -> store.events().chunkAt(new RunKey(tenant, run), 1).isPresent());
  }
}
