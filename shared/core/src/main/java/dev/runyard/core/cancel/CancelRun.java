package dev.runyard.core.cancel;

import dev.runyard.core.event.Requester;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunState;
import dev.runyard.core.wakeup.WakeRunner;

/// Cancels a run, or has it give its place up for a while, by writing that to its log, where its
/// runner finds it. A run whose cancel was accepted ends as cancelled, whatever its agent does
/// until then.
public final class CancelRun {
  private final RunLog runs;
  private final WakeRunner runners;

  public CancelRun(RunLog runs, WakeRunner runners) {
    this.runs = runs;
    this.runners = runners;
  }

  /// Cancels the run for whoever asked for it.
  public Result cancel(RunKey run, String reason, Requester by) {
    return switch (runs.execute(run, new RunCommand.Cancel(reason, by))) {
      case RunLog.Outcome.Done done -> accepted(done.state());
      case RunLog.Outcome.Unchanged unchanged -> accepted(unchanged.state());
      case RunLog.Outcome.Deferred deferred -> accepted(deferred.state());
      case RunLog.Outcome.Refused refused ->
          switch (refused.state()) {
            case RunState.Absent _ ->
                new Result.Rejected(
                    Problem.of(ProblemCode.RUN_NOT_FOUND, "There is no run with this id."));
            case RunState.Existing existing ->
                new Result.Rejected(
                    Problem.of(
                        ProblemCode.RUN_CLOSED,
                        "The run has ended as " + existing.status().wire() + "."));
          };
    };
  }

  /// The same in the name of somebody who asks for it without a request of their own.
  public Result cancel(RunKey run, String reason, String actor) {
    return cancel(run, reason, Requester.of(actor));
  }

  /// Ends the run if no runner has had it. False if one had it, or it has ended otherwise.
  public boolean withdraw(RunKey run, String reason, Requester by) {
    return isWithdrawn(runs.execute(run, new RunCommand.Cancel(reason, by, true)).state());
  }

  /// Has the run give its place up as soon as its agent can go on elsewhere, until [#goOn].
  public void putAside(RunKey run, String reason, Requester by) {
    runners.wake(runs.execute(run, new RunCommand.PutAside(reason, by)).state());
  }

  /// Lets a run that was put aside go on.
  public void goOn(RunKey run, Requester by) {
    runners.wake(runs.execute(run, new RunCommand.GoOn(by)).state());
  }

  /// True for a run that was ended before a runner had it.
  public static boolean isWithdrawn(RunState run) {
    return switch (run) {
      case RunState.CancellingIdle idle -> idle.facts().attempts() == 0;
      case RunState.Cancelled ended -> ended.attempt().isEmpty();
      case RunState.Absent _, RunState.Existing _ -> false;
    };
  }

  private Result accepted(RunState state) {
    runners.wake(state);
    return new Result.Accepted((RunState.Existing) state);
  }

  /// What became of the request.
  public sealed interface Result {
    record Accepted(RunState.Existing run) implements Result {}

    record Rejected(Problem problem) implements Result {}
  }
}
