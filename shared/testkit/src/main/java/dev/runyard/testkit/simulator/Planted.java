package dev.runyard.testkit.simulator;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.Decision;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunDecider;
import dev.runyard.core.run.RunState;
import dev.runyard.core.session.SessionTurns;

/// What is put in the place of the real thing to plant a defect.
final class Planted {
  private static final Failure LOST =
      new Failure(Failure.RUNNER_LOST, Category.INTERNAL, "It was lost.");

  private Planted() {}

  static SessionTurns turns(Defect defect, SessionTurns kept) {
    return defect == Defect.TURNS_WRITTEN_WITHOUT_CONDITION ? new UnconditionalTurns(kept) : kept;
  }

  static RunDecider rules(Defect defect) {
    RunDecider rules = RunDecider.rules();
    return switch (defect) {
      case CLAIM_NOT_CHECKED ->
          (state, command) ->
              command instanceof RunCommand.Claim claim
                      && state instanceof RunState.InProgress run
                      && run.attempt().stage().open()
                      && !run.attempt().id().equals(claim.attemptId())
                  ? Decision.append(
                      new RunEvent.AttemptStarted(
                          run.facts().attempts() + 1,
                          claim.attemptId(),
                          claim.runner(),
                          claim.ticket(),
                          false))
                  : rules.decide(state, command);
      case ENQUEUE_NEVER_REPEATED ->
          (state, command) ->
              command instanceof RunCommand.Advance && state instanceof RunState.Created
                  ? Decision.stay()
                  : rules.decide(state, command);
      case SECOND_DECISION_COUNTS ->
          (state, command) ->
              command instanceof RunCommand.Resolve resolve
                      && state instanceof RunState.Open open
                      && open.facts().journal().action(resolve.actionId()).isPresent()
                  ? Decision.append(
                      new RunEvent.ActionResolved(
                          resolve.actionId(), resolve.decision(), null, resolve.by()))
                  : rules.decide(state, command);
      case PAUSED_NEVER_RESUMED ->
          (state, command) ->
              command instanceof RunCommand.Advance
                      && state instanceof RunState.Parked parked
                      && !parked.facts().journal().awaiting()
                  ? Decision.stay()
                  : rules.decide(state, command);
      case LOST_WHILE_WAITING ->
          (state, command) ->
              rules.decide(state, command) instanceof Decision.Append append
                      && append.events().getFirst() instanceof RunEvent.TaskPaused paused
                      && !(command instanceof RunCommand.Report)
                  ? Decision.append(
                      new RunEvent.AttemptFailed(paused.attempt(), paused.attemptId(), LOST))
                  : rules.decide(state, command);
      case NONE,
          PUT_WITHOUT_CONDITION,
          TERMINAL_WRITTEN_TWICE,
          OUTPUT_AFTER_EXIT,
          MESSAGE_TAKEN_TWICE,
          SESSION_LEFT_BEHIND,
          OUTPUT_REPEATED,
          TURNS_WRITTEN_WITHOUT_CONDITION ->
          rules;
    };
  }
}
