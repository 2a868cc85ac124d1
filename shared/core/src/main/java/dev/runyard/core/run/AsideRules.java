package dev.runyard.core.run;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.run.Decision.Reason;
import java.util.List;

/// The rules of runs that give their places up because somebody wants that, and go on later.
final class AsideRules {
  private AsideRules() {}

  /// A run that no runner has had is not put aside: it is taken back. One whose agent has done what
  /// it should is about to end.
  static Decision putAside(RunState.Open state, String reason) {
    return switch (state) {
      case RunState.Created _ -> Decision.refuse(Reason.NOT_APPLICABLE);
      case RunState.CancellingIdle _, RunState.Cancelling _ -> Decision.refuse(Reason.CANCELLING);
      case RunState.InProgress run when run.attempt().stage() == Attempt.Stage.SUCCEEDED ->
          Decision.stay();
      case RunState.InProgress _, RunState.Retrying _, RunState.Paused _ ->
          state.facts().putAside()
              ? Decision.stay()
              : Decision.append(new RunEvent.TaskUpdated(reason));
    };
  }

  /// `advance` queues the run, unless it still waits for a person.
  static Decision goOn(RunState.Open state) {
    return state.facts().putAside()
        ? Decision.append(new RunEvent.TaskUpdated(null))
        : Decision.stay();
  }

  /// The run is queued again: for a continuation at once, for another try with its pause.
  static List<RunEvent> again(RunState.Paused run) {
    Attempt last = run.last();
    int next = last.number() + 1;
    int delay =
        last.stage() == Attempt.Stage.FAILED
            ? run.facts().request().retry().delaySeconds(run.facts().tries())
            : 0;
    return List.of(new RunEvent.TaskResumed(next), new RunEvent.TaskQueued(next, delay, 0));
  }
}
