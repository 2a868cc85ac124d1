package dev.runyard.core.run;

import dev.runyard.core.event.EventTypes;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.Decision.Reason;
import java.time.Duration;
import java.time.Instant;

/// `decide`: which events a command makes in a state.
final class RunRules {
  static final Failure LOST =
      new Failure(
          Failure.RUNNER_LOST,
          Category.INTERNAL,
          "The runner was lost while the agent ran. Check what the agent had done, then submit"
              + " again.");

  private RunRules() {}

  static Decision decide(RunState state, RunCommand command) {
    return switch (state) {
      case RunState.Absent _ ->
          command instanceof RunCommand.Submit submit
              ? submit(submit.request())
              : Decision.refuse(Reason.NO_RUN);
      case RunState.Closed closed ->
          switch (command) {
            case RunCommand.Submit _ -> Decision.refuse(Reason.EXISTS);
            case RunCommand.Claim _, RunCommand.Report _, RunCommand.Cancel _ ->
                Decision.refuse(Reason.CLOSED);
            case RunCommand.Resolve resolve -> Talking.resolve(closed, resolve);
            case RunCommand.Message message -> Talking.message(closed, message);
            case RunCommand.Advance _,
                RunCommand.Undelivered _,
                RunCommand.Turn _,
                RunCommand.Block _ ->
                Decision.stay();
          };
      case RunState.Open open ->
          switch (command) {
            case RunCommand.Submit _ -> Decision.refuse(Reason.EXISTS);
            case RunCommand.Claim claim -> claim(open, claim);
            case RunCommand.Report report -> report(open, report);
            case RunCommand.Resolve resolve -> Talking.resolve(open, resolve);
            case RunCommand.Message message -> Talking.message(open, message);
            case RunCommand.Cancel cancel -> cancel(open, cancel);
            case RunCommand.Advance advance -> Advancing.advance(open, advance.now());
            case RunCommand.Undelivered late -> Advancing.undelivered(open, late.now());
            case RunCommand.Turn turn -> Advancing.turn(open, turn.behind());
            case RunCommand.Block block -> Blocking.block(open, block);
          };
    };
  }

  private static Decision submit(RunRequest request) {
    return Decision.append(
        new RunEvent.TaskCreated(
            request.agent(),
            request.extensions(),
            request.requires(),
            request.workingDir(),
            request.timeoutSeconds(),
            request.env(),
            request.tags(),
            request.retry(),
            request.bounds().equals(RunBounds.NONE) ? null : request.bounds()),
        new RunEvent.TurnSubmitted(
            request.prompt(), request.input().isEmpty() ? null : request.input()),
        new RunEvent.TaskQueued(1, 0, 0));
  }

  private static Decision claim(RunState.Open state, RunCommand.Claim claim) {
    return switch (state) {
      case RunState.Created run -> Decision.append(attemptStarted(claim, run.facts(), false));
      case RunState.Retrying run ->
          Decision.append(
              attemptStarted(claim, run.facts(), run.last().stage() == Attempt.Stage.PAUSED));
      case RunState.CancellingIdle _, RunState.Parked _ -> Decision.refuse(Reason.FENCED);
      case RunState.InProgress run -> takeOver(run.facts(), run.attempt(), claim, true);
      case RunState.Awaiting run -> takeOver(run.facts(), run.attempt(), claim, true);
      case RunState.Cancelling run -> takeOver(run.facts(), run.attempt(), claim, false);
    };
  }

  private static RunEvent attemptStarted(
      RunCommand.Claim claim, RunFacts facts, boolean continuation) {
    return new RunEvent.AttemptStarted(
        facts.attempts() + 1, claim.attemptId(), claim.runner(), claim.ticket(), continuation);
  }

  /// The message of an open attempt came back: its runner is gone, unless the attempt wrote just
  /// now. Another message for the same run is a copy and loses.
  private static Decision takeOver(
      RunFacts facts, Attempt attempt, RunCommand.Claim claim, boolean mayRestart) {
    if (attempt.id().equals(claim.attemptId())) {
      return Decision.stay();
    }
    if (!attempt.stage().open() || !attempt.ticket().equals(claim.ticket())) {
      return Decision.refuse(Reason.FENCED);
    }
    Duration quiet = Duration.between(facts.wroteAt(), claim.now());
    if (!quiet.isNegative() && quiet.toSeconds() < Limits.ALIVE_SECONDS) {
      return new Decision.Defer();
    }
    if (mayRestart && pausable(facts, attempt)) {
      RunEvent paused = paused(attempt);
      return facts.journal().awaiting()
          ? Decision.append(paused)
          : Decision.append(
              paused,
              new RunEvent.TaskResumed(attempt.number() + 1),
              attemptStarted(claim, facts, true));
    }
    RunEvent ended = new RunEvent.AttemptFailed(attempt.number(), attempt.id(), LOST);
    Instant deadline = facts.deadline();
    boolean inTime = deadline == null || claim.now().isBefore(deadline);
    boolean restart =
        mayRestart
            && inTime
            && (attempt.stage() == Attempt.Stage.CLAIMED
                ? facts.tries() < RetryPolicy.ATTEMPTS_MAX
                : facts.request().retry().allows(facts.tries(), LOST.code()));
    return restart
        ? Decision.append(ended, attemptStarted(claim, facts, false))
        : Decision.append(ended);
  }

  /// True when the agent of an attempt whose runner is gone can only have been waiting for a
  /// person: nothing it did is lost, and another attempt goes on where it stood.
  static boolean pausable(RunFacts facts, Attempt attempt) {
    return switch (attempt.stage()) {
      case CLAIMED, RUNNING -> facts.journal().holds();
      case EXITED, SUCCEEDED, FAILED, PAUSED -> false;
    };
  }

  static RunEvent paused(Attempt attempt) {
    return new RunEvent.TaskPaused(attempt.number(), attempt.id(), Failure.RUNNER_LOST);
  }

  private static Decision report(RunState.Open state, RunCommand.Report report) {
    return switch (state) {
      case RunState.InProgress run -> report(run.attempt(), report);
      case RunState.Awaiting run -> report(run.attempt(), report);
      case RunState.Cancelling run -> report(run.attempt(), report);
      case RunState.Created _, RunState.Retrying _, RunState.Parked _, RunState.CancellingIdle _ ->
          Decision.refuse(Reason.FENCED);
    };
  }

  private static Decision report(Attempt attempt, RunCommand.Report report) {
    if (!attempt.id().equals(report.attemptId()) || !attempt.stage().open()) {
      return Decision.refuse(Reason.FENCED);
    }
    if (report.events().isEmpty()) {
      return Decision.stay();
    }
    boolean exited = attempt.stage() == Attempt.Stage.EXITED;
    for (RunEvent event : report.events()) {
      if (exited && !EventTypes.changesState(event)) {
        return Decision.refuse(Reason.AFTER_EXIT);
      }
      exited |= event instanceof RunEvent.ProcessCompleted;
    }
    return new Decision.Append(report.events());
  }

  private static Decision cancel(RunState.Open state, RunCommand.Cancel cancel) {
    return switch (state) {
      case RunState.Cancelling _, RunState.CancellingIdle _ -> Decision.stay();
      case RunState.Created _,
          RunState.Retrying _,
          RunState.InProgress _,
          RunState.Awaiting _,
          RunState.Parked _ ->
          Decision.append(new RunEvent.CancelRequested(cancel.reason()));
    };
  }
}
