package dev.runyard.simulator;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.projection.ReadModels;
import dev.runyard.core.run.RunState;
import java.util.LinkedHashSet;
import java.util.Set;

/// Changes of which a stream function will not hear any more, unless somebody has them told again:
/// a run, a job or a task that has no row yet is found by nobody else.
final class LostRecords {
  private final Set<Chunk> changes = new LinkedHashSet<>();

  void add(Chunk change) {
    changes.add(change);
  }

  boolean any() {
    return !changes.isEmpty();
  }

  /// True when the read models of their runs show the end.
  boolean caughtUp(ReadModels models) {
    return changes.stream()
        .map(Chunk::key)
        .filter(RunKey.class::isInstance)
        .map(RunKey::of)
        .allMatch(run -> models.snapshot(run).filter(RunState.Existing::closed).isPresent());
  }

  /// What an operator does about them once their cause is gone, as the runbook of that alarm says:
  /// the stream tells of them again.
  void handled(SimulatedLog log) {
    changes.forEach(log::tell);
    changes.clear();
  }
}
