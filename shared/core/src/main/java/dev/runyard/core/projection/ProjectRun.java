package dev.runyard.core.projection;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.log.Recent;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.run.Attempt;
import dev.runyard.core.run.RunState;
import dev.runyard.core.stream.Chain;
import java.time.Instant;
import java.util.Optional;

/// Brings a run's read model up to its log. It reads the log, not the record that called it, so it
/// may be called twice, late, or out of order.
public final class ProjectRun {
  /// How much later than its time `sweep` may find a run whose state was left out: one sweep.
  private static final int LATE_SECONDS_MAX = 60;

  private final RunLog runs;
  private final ReadModels models;
  private final Recent<RunKey, Saved> saved = new Recent<>();

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
  /// between, `sweep` finds the run by an earlier one, which there must be, and be due in time.
  ///
  /// @return where the chain of the run's chunks is broken, as far as the log was read; 0 if it is
  ///   not
  public long project(RunKey run) {
    if (!(runs.load(run) instanceof RunState.Existing state)) {
      return 0;
    }
    if (!isSaved(state) && !passes(state)) {
      models.save(state);
      saved.put(run, Saved.of(state));
    }
    return state.chain().map(Chain::brokenAt).orElse(0L);
  }

  /// True while the runner that has just claimed the run is about to start its agent, and while
  /// `advance` is about to decide about an attempt that is over.
  private boolean passes(RunState.Existing state) {
    if (!(state instanceof RunState.InProgress run)) {
      return false;
    }
    Attempt.Stage stage = run.attempt().stage();
    return stage == Attempt.Stage.CLAIMED
        ? earlier(state).flatMap(Saved::due).filter(due -> inTime(due, state)).isPresent()
        : !stage.open()
            && earlier(state).flatMap(Saved::due).filter(due -> soon(due, state)).isPresent();
  }

  private Optional<Saved> earlier(RunState.Existing state) {
    RunKey run = state.facts().run();
    return saved.get(run).or(() -> models.snapshot(run).map(Saved::of));
  }

  /// A run that waited for long is due late by what was saved while it waited.
  private static boolean inTime(Instant earlier, RunState.Existing state) {
    return state
        .dueAt()
        .filter(due -> due.plusSeconds(LATE_SECONDS_MAX).isBefore(earlier))
        .isEmpty();
  }

  /// What was saved while an attempt was open is due when that would be silent.
  private static boolean soon(Instant earlier, RunState.Existing state) {
    return !earlier.isAfter(
        state.facts().at().plusSeconds(Limits.SILENT_SECONDS + LATE_SECONDS_MAX));
  }

  /// Of records that follow one another closely the first often brings the state of the last.
  private boolean isSaved(RunState.Existing state) {
    return saved
        .get(state.facts().run())
        .filter(last -> last.sequence() == state.sequence())
        .isPresent();
  }

  /// What was saved last of a run, and when `sweep` finds it by that.
  private record Saved(long sequence, Optional<Instant> due) {
    static Saved of(RunState.Existing state) {
      return new Saved(state.sequence(), state.dueAt());
    }
  }
}
