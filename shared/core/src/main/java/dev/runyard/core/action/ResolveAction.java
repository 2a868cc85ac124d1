package dev.runyard.core.action;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.event.Requester;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.interaction.Action;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.run.Decision;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunState;
import dev.runyard.core.wakeup.WakeRunner;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/// Decides an action by writing the decision to the run's log, where its runner finds it, or where
/// `advance` finds it and queues the paused run again. The first decision counts.
public final class ResolveAction {
  private final RunLog runs;
  private final InstantSource clock;
  private final WakeRunner runners;

  public ResolveAction(RunLog runs, InstantSource clock, WakeRunner runners) {
    this.runs = runs;
    this.clock = clock;
    this.runners = runners;
  }

  /// Decides the action for whoever asked for it.
  public Result resolve(
      RunKey run,
      String actionId,
      ActionDecision decision,
      @Nullable JsonNode payload,
      Requester by) {
    RunCommand command = new RunCommand.Resolve(actionId, decision, payload, by, clock.instant());
    return switch (runs.execute(run, command)) {
      case RunLog.Outcome.Done done -> decided(done.state(), actionId);
      case RunLog.Outcome.Unchanged unchanged -> decided(unchanged.state(), actionId);
      case RunLog.Outcome.Deferred deferred -> decided(deferred.state(), actionId);
      case RunLog.Outcome.Refused refused -> new Result.Rejected(why(refused, decision));
    };
  }

  private Result decided(RunState state, String actionId) {
    runners.wake(state);
    RunState.Existing run = (RunState.Existing) state;
    return new Result.Decided(run, run.facts().interactions().action(actionId).orElseThrow());
  }

  private static Problem why(RunLog.Outcome.Refused refused, ActionDecision decision) {
    return switch (refused.reason()) {
      case Decision.Reason.NO_RUN, Decision.Reason.NO_ACTION ->
          Problem.of(ProblemCode.ACTION_NOT_FOUND, "There is no action with this id.");
      case Decision.Reason.NOT_APPLICABLE ->
          Problem.at(
              ProblemCode.INVALID_REQUEST,
              "/decision",
              "This action cannot be decided with %s.".formatted(decision.wire()));
      case Decision.Reason.NOT_OFFERED ->
          Problem.at(
              ProblemCode.INVALID_REQUEST,
              "/payload",
              "This action has choices, and the answer is the text of one of them.");
      case Decision.Reason.CANCELLING ->
          Problem.of(ProblemCode.RUN_CLOSED, "The run is being cancelled.");
      case Decision.Reason.DECIDED,
          Decision.Reason.CLOSED,
          Decision.Reason.EXISTS,
          Decision.Reason.FENCED,
          Decision.Reason.AFTER_EXIT,
          Decision.Reason.NOT_YET,
          Decision.Reason.NEWER,
          Decision.Reason.MISMATCH,
          Decision.Reason.FULL ->
          Problem.of(
              ProblemCode.ACTION_DECIDED,
              "The action is decided, or the time to decide it is over. The first decision counts.");
    };
  }

  /// What became of the decision.
  public sealed interface Result {
    record Decided(RunState.Existing run, Action action) implements Result {}

    record Rejected(Problem problem) implements Result {}
  }
}
