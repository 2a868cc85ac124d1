package dev.runyard.core.run;

import dev.runyard.core.event.EventTypes;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.request.RunBounds;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.run.Decision.Reason;

/// `decide`: which events a command makes in a state.
final class RunRules {
  static final Failure LOST =
      new Failure(
          Failure.RUNNER_LOST,
          Category.INTERNAL,
          "The runner was lost while the agent ran. Check what the agent had done, then submit"
              + " again.");

  private static final Failure LOST_BEFORE_START =
      new Failure(
          Failure.RUNNER_LOST,
          Category.INTERNAL,
          "The runner was lost before it had started the agent. Submit again.");

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
            case RunCommand.Resolve resolve -> InteractionRules.resolve(closed, resolve);
            case RunCommand.Message message -> InteractionRules.message(closed, message);
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
            case RunCommand.Resolve resolve -> InteractionRules.resolve(open, resolve);
            case RunCommand.Message message -> InteractionRules.message(open, message);
            case RunCommand.Cancel cancel -> cancel(open, cancel);
            case RunCommand.Advance advance -> AdvanceRules.advance(open, advance.now());
            case RunCommand.Undelivered late -> AdvanceRules.undelivered(open, late.now());
            case RunCommand.Turn turn -> AdvanceRules.turn(open, turn.behind());
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
          Decision.append(attemptStarted(claim, run.facts(), run.last().continues()));
      case RunState.CancellingIdle _, RunState.Paused _ -> Decision.refuse(Reason.FENCED);
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

  /// The message of an open attempt came to somebody else. Its runner is gone when it wrote nothing
  /// since a copy of the message was sent, or for so long that no two clocks differ as much. It is
  /// ended then, and `advance` decides what follows. Another message for the same run is a copy and
  /// loses.
  private static Decision takeOver(
      RunFacts facts, Attempt attempt, RunCommand.Claim claim, boolean mayPause) {
    if (attempt.id().equals(claim.attemptId())) {
      return Decision.stay();
    }
    if (!attempt.stage().open() || !attempt.ticket().equals(claim.ticket())) {
      return Decision.refuse(Reason.FENCED);
    }
    long beat = beat(facts);
    boolean silent =
        claim.now().toEpochMilli() - beat
            >= 1000L * (Limits.ALIVE_SECONDS + Limits.CLOCK_SKEW_SECONDS_MAX);
    if (!silent && claim.beat().isEmpty()) {
      return new Decision.Defer(beat);
    }
    if (!silent && claim.beat().getAsLong() != beat) {
      return Decision.refuse(Reason.FENCED);
    }
    return Decision.append(mayPause ? lost(facts, attempt) : failed(attempt));
  }

  /// When the run's open attempt last wrote.
  static long beat(RunFacts facts) {
    return facts.wroteAt().toEpochMilli();
  }

  /// The end of an attempt whose runner is gone.
  static RunEvent lost(RunFacts facts, Attempt attempt) {
    return pausable(facts, attempt) ? paused(attempt) : failed(attempt);
  }

  private static RunEvent failed(Attempt attempt) {
    Failure why = attempt.stage() == Attempt.Stage.CLAIMED ? LOST_BEFORE_START : LOST;
    return new RunEvent.AttemptFailed(attempt.number(), attempt.id(), why);
  }

  /// True when the agent of an attempt whose runner is gone can only have been waiting for a
  /// person: nothing it did is lost, and another attempt goes on where it stood.
  static boolean pausable(RunFacts facts, Attempt attempt) {
    return switch (attempt.stage()) {
      case CLAIMED, RUNNING -> facts.interactions().holds();
      case EXITED, SUCCEEDED, FAILED, PAUSED, HANDED_BACK -> false;
    };
  }

  private static RunEvent paused(Attempt attempt) {
    return new RunEvent.TaskPaused(attempt.number(), attempt.id(), Failure.RUNNER_LOST);
  }

  private static Decision report(RunState.Open state, RunCommand.Report report) {
    return switch (state) {
      case RunState.InProgress run -> report(run.attempt(), report);
      case RunState.Awaiting run -> report(run.attempt(), report);
      case RunState.Cancelling run -> report(run.attempt(), report);
      case RunState.Created _, RunState.Retrying _, RunState.Paused _, RunState.CancellingIdle _ ->
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
          RunState.Paused _ ->
          Decision.append(new RunEvent.CancelRequested(cancel.reason()));
    };
  }
}
