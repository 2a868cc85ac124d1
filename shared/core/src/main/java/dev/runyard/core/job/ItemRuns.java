package dev.runyard.core.job;

import dev.runyard.core.cancel.CancelRun;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.limits.Bounds;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.quota.RunAdmission;
import dev.runyard.core.quota.TenantUses;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunState;
import dev.runyard.core.session.TurnOrder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The runs of a job's items: they are admitted, sent and ended like those that somebody submits.
public final class ItemRuns {
  /// In whose name the items of a job run that nobody in particular created.
  private static final String NOBODY = "job";

  private final RunLog runs;
  private final TurnOrder turns;
  private final RunAdmission quota;
  private final CancelRun cancel;
  private final ItemPlaces places;

  public ItemRuns(
      RunLog runs, TurnOrder turns, RunAdmission quota, CancelRun cancel, ItemPlaces places) {
    this.runs = runs;
    this.turns = turns;
    this.quota = quota;
    this.cancel = cancel;
    this.places = places;
  }

  ItemPlaces places() {
    return places;
  }

  RunState look(RunKey run) {
    return runs.load(run);
  }

  /// Whether the run may be written now.
  sealed interface Verdict {
    record Admitted() implements Verdict {}

    /// Not now, but later.
    record Waits() implements Verdict {}

    record Never(Failure why) implements Verdict {}
  }

  /// A thread that the run has for itself has room.
  ///
  /// @param before other runs for the same thread that will be written before this one
  Verdict admit(RunKey run, RunRequest request, int before) {
    boolean alone = request.begins(run) || request.inThread() != null;
    if (!alone && !turns.hasRoom(run.tenant(), request, before)) {
      return new Verdict.Waits();
    }
    return switch (quota.admit(run, request)) {
      case RunAdmission.Verdict.Admitted _ -> new Verdict.Admitted();
      case RunAdmission.Verdict.Refused refused ->
          refused.problem().code() == ProblemCode.QUOTA_REACHED
              ? new Verdict.Waits()
              : new Verdict.Never(failure(refused.problem()));
    };
  }

  /// Another one is run instead of this one, which was admitted.
  void withdraw(RunKey run) {
    quota.giveBack(run);
  }

  private static Failure failure(Problem problem) {
    return new Failure(problem.code().code(), Category.CALLER, problem.detail());
  }

  /// Writes the run and sends it, if it is not there. If it could not be sent, `sweep` does that.
  void begin(RunKey run, RunRequest request, @Nullable String actor) {
    RunRequest within = quota.within(run.tenant(), request);
    RunLog.Outcome outcome =
        runs.execute(
            run,
            RunState.absent(),
            new RunCommand.Submit(within, Objects.requireNonNullElse(actor, NOBODY)));
    if (outcome instanceof RunLog.Outcome.Done done) {
      try {
        turns.send((RunState.Existing) done.state(), 0);
      } catch (PortUnavailable _) {
        return;
      }
    }
  }

  /// Ends a run that is there. One that has ended stays as it is.
  void cancel(RunKey run, String reason, @Nullable String actor) {
    var _ = cancel.cancel(run, reason, Objects.requireNonNullElse(actor, NOBODY));
  }

  /// One step of a job may end as many items as run at once, and is one chunk of its log.
  private static Failure cut(Failure error) {
    return new Failure(
        error.code(),
        error.category(),
        Bounds.truncate(error.message(), JobLimits.ITEM_ERROR_BYTES_MAX));
  }

  /// How the run ended, for its job.
  static JobCommand.End end(int item, RunState.Closed run) {
    TenantUses.Ended used = TenantUses.Ended.of(run.facts().usage(), run.finishedAt());
    Failure error =
        switch (run) {
          case RunState.Completed _ -> null;
          case RunState.Failed failed -> cut(failed.error());
          case RunState.Cancelled cancelled ->
              cut(new Failure(Failure.CANCELLED, Category.CALLER, cancelled.reason()));
        };
    return new JobCommand.End(
        item, run.facts().run().runId(), error, new JobUsage(used.tokens(), used.microdollars()));
  }
}
