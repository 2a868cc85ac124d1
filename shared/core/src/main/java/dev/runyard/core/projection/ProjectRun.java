package dev.runyard.core.projection;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.Recent;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.run.Attempt;
import dev.runyard.core.run.RunState;
import dev.runyard.core.stream.Chain;

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

  /// A state that passes is left out: the save of the next one follows, and if something breaks in
  /// between, `sweep` finds the run by an earlier one, which there must be.
  ///
  /// @return where the chain of the run's chunks is broken, as far as the log was read; 0 if it is
  ///   not
  public long project(RunKey run) {
    if (!(runs.load(run) instanceof RunState.Existing state)) {
      return 0;
    }
    if (!isSaved(state) && !(passes(state) && isFound(run))) {
      models.save(state);
      saved.put(run, state.sequence());
    }
    return state.chain().map(Chain::brokenAt).orElse(0L);
  }

  /// True while the runner that has just claimed the run is about to start its agent, and while
  /// `advance` is about to decide about an attempt that is over.
  private static boolean passes(RunState.Existing state) {
    return state instanceof RunState.InProgress run
        && (run.attempt().stage() == Attempt.Stage.CLAIMED || !run.attempt().stage().open());
  }

  private boolean isFound(RunKey run) {
    return saved.get(run).isPresent() || models.snapshot(run).isPresent();
  }

  /// Of records that follow one another closely the first often brings the state of the last.
  private boolean isSaved(RunState.Existing state) {
    return saved.get(state.facts().run()).filter(last -> last == state.sequence()).isPresent();
  }
}
