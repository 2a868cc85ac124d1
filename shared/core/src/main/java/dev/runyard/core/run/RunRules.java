package dev.runyard.core.run;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.request.RunBounds;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.run.Decision.Reason;
import org.jspecify.annotations.Nullable;

/// `decide`: the events that follow from a command in a state.
final class RunRules {
  private RunRules() {}

  static Decision decide(RunState state, RunCommand command) {
    return decide(state, command, null);
  }

  /// @param lifeSeconds how long a run that is submitted may wait for things; null for ever
  static Decision decide(RunState state, RunCommand command, @Nullable Integer lifeSeconds) {
    return switch (state) {
      case RunState.Absent _ ->
          command instanceof RunCommand.Submit submit
              ? submit(submit.request(), lifeSeconds)
              : Decision.refuse(Reason.NO_RUN);
      case RunState.Closed closed ->
          switch (command) {
            case RunCommand.Submit _ -> Decision.refuse(Reason.EXISTS);
            case RunCommand.Claim _,
                RunCommand.Report _,
                RunCommand.Cancel _,
                RunCommand.PutAside _ ->
                Decision.refuse(Reason.CLOSED);
            case RunCommand.Resolve resolve -> InteractionRules.resolve(closed, resolve);
            case RunCommand.Message message -> InteractionRules.message(closed, message);
            case RunCommand.Advance _,
                RunCommand.Undelivered _,
                RunCommand.GoOn _,
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
            case RunCommand.PutAside aside -> AsideRules.putAside(open, aside.reason());
            case RunCommand.GoOn _ -> AsideRules.goOn(open);
            case RunCommand.Advance advance -> AdvanceRules.advance(open, advance.now());
            case RunCommand.Undelivered late -> AdvanceRules.undelivered(open, late.now());
            case RunCommand.Turn turn -> AdvanceRules.turn(open, turn.behind());
            case RunCommand.Block block -> Blocking.block(open, block);
          };
    };
  }

  private static Decision submit(RunRequest request, @Nullable Integer lifeSeconds) {
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
            request.bounds().equals(RunBounds.NONE) ? null : request.bounds(),
            request.workspace(),
            request.webhook(),
            request.item(),
            request.task(),
            lifeSeconds),
        new RunEvent.TurnSubmitted(
            request.prompt(), request.input().isEmpty() ? null : request.input()),
        new RunEvent.TaskQueued(1, 0, 0, null, RunForm.stored(RunForm.of(request))));
  }

  private static Decision claim(RunState.Open state, RunCommand.Claim claim) {
    if (RunForm.newer(state.facts().form())) {
      return Decision.refuse(Reason.NEWER);
    }
    return switch (state) {
      case RunState.Created run -> begin(run.facts(), claim, false);
      case RunState.Retrying run ->
          run.waiting().pauseSeconds(claim.now()) > 0
              ? Decision.refuse(Reason.NOT_YET)
              : begin(run.facts(), claim, run.last().continues());
      case RunState.CancellingIdle _, RunState.Paused _ -> Decision.refuse(Reason.FENCED);
      case RunState.InProgress run -> takeOver(run.facts(), run.attempt(), claim, true);
      case RunState.Cancelling run -> takeOver(run.facts(), run.attempt(), claim, false);
    };
  }

  /// A copy of a message only asks whether an attempt lives. It starts none: whatever follows that
  /// attempt has a message of its own, and an attempt that a copy started would be looked for by
  /// the wrong message once its runner is gone.
  private static Decision begin(RunFacts facts, RunCommand.Claim claim, boolean continuation) {
    return claim.beat().isPresent()
        ? Decision.refuse(Reason.FENCED)
        : Decision.append(
            new RunEvent.AttemptStarted(
                facts.attempts() + 1,
                claim.attemptId(),
                claim.runner(),
                claim.ticket(),
                continuation));
  }

  /// Another runner received the message of an open attempt. The attempt's runner is gone if it
  /// wrote nothing since a copy of the message was sent, or for longer than clocks may differ. Then
  /// the attempt is ended, and `advance` decides what follows. Any other message for the same run
  /// is a duplicate and loses.
  private static Decision takeOver(
      RunFacts facts, Attempt attempt, RunCommand.Claim claim, boolean mayPause) {
    if (attempt.id().equals(claim.attemptId())) {
      return Decision.stay();
    }
    if (!attempt.stage().open() || !attempt.ticket().equals(claim.ticket())) {
      return Decision.refuse(Reason.FENCED);
    }
    long beat = facts.wroteAt().toEpochMilli();
    boolean silent = claim.now().toEpochMilli() - beat >= 1000L * Limits.SURELY_DEAD_SECONDS;
    if (!silent && claim.beat().isEmpty()) {
      return new Decision.Defer(beat);
    }
    if (!silent && claim.beat().getAsLong() != beat) {
      return Decision.refuse(Reason.FENCED);
    }
    return Decision.append(
        mayPause ? LostAttempt.end(facts, attempt) : LostAttempt.failed(attempt));
  }

  private static Decision report(RunState.Open state, RunCommand.Report report) {
    return switch (state) {
      case RunState.Claimed run -> report(run.attempt(), report);
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
      if (exited && !(event instanceof RunEvent.StateChange)) {
        return Decision.refuse(Reason.AFTER_EXIT);
      }
      exited |= event instanceof RunEvent.ProcessCompleted;
    }
    return new Decision.Append(report.events());
  }

  private static Decision cancel(RunState.Open state, RunCommand.Cancel cancel) {
    return switch (state) {
      case RunState.Cancelling _, RunState.CancellingIdle _ -> Decision.stay();
      case RunState.Created _ -> Decision.append(new RunEvent.CancelRequested(cancel.reason()));
      case RunState.Retrying _, RunState.InProgress _, RunState.Paused _ ->
          cancel.unstarted()
              ? Decision.refuse(Reason.NOT_APPLICABLE)
              : Decision.append(new RunEvent.CancelRequested(cancel.reason()));
    };
  }
}
