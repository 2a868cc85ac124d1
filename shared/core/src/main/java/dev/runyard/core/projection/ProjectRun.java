package dev.runyard.core.projection;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.Recent;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.run.RunState;

/// Brings a run's read model up to its log. It reads the log, not the record that called it, so it
/// may be called twice, late, or out of order.
public final class ProjectRun {
  private final RunLog runs;
  private final ReadModels models;
  private final Recent<RunKey, Long> saved = new Recent<>();

  public ProjectRun(RunLog runs, ReadModels models) {
    this.runs = runs;
    this.models = models;
  }

  /// Makes sure that the lists show the run's end before a client is told of it. False when the
  /// store does not answer: then the lists show it later.
  public boolean ended(RunKey run) {
    try {
      if (models.snapshot(run).filter(RunState.Existing::closed).isEmpty()) {
        project(run);
      }
      return true;
    } catch (PortUnavailable _) {
      return false;
    }
  }

  public void project(RunKey run) {
    if (runs.load(run) instanceof RunState.Existing state && !isSaved(state)) {
      models.save(state);
      saved.put(run, state.sequence());
    }
  }

  /// Of records that follow one another closely the first often brings the state of the last.
  private boolean isSaved(RunState.Existing state) {
    return saved.get(state.facts().run()).filter(last -> last == state.sequence()).isPresent();
  }
}
