package dev.runyard.simulator;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.interaction.InboxMessage;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.Attempt;
import dev.runyard.core.run.Decision;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunDecider;
import dev.runyard.core.run.RunFacts;
import dev.runyard.core.run.RunState;
import java.util.ArrayList;
import java.util.List;

/// The rules of a run with a planted defect.
record PlantedRules(Defect defect, RunDecider rules) implements RunDecider {
  /// Beyond any time at which a silent attempt is taken for dead.
  private static final int LONG_SECONDS = 3600;

  /// What a silent attempt is no longer waited for if clocks and agents are taken for perfect. Half
  /// of the silence that counts is there to save looks, and is no defect when it is missing.
  static final int TOO_SHORT_SECONDS =
      Limits.SILENT_SECONDS / 2 + Limits.CLOCK_SKEW_SECONDS_MAX + Limits.STOP_SECONDS;

  private static final Failure LOST = failure(Failure.RUNNER_LOST);

  static RunDecider of(Defect defect) {
    return new PlantedRules(defect, RunDecider.rules());
  }

  @Override
  public Decision decide(RunState truth, RunCommand command) {
    RunState state = PlantedStates.seen(defect, truth);
    return switch (command) {
      case RunCommand.Claim claim -> claim(state, claim);
      case RunCommand.Advance advance -> advance(state, advance);
      case RunCommand.Undelivered late -> undelivered(state, late);
      case RunCommand.Resolve resolve ->
          defect == Defect.SECOND_DECISION_COUNTS
                  && state instanceof RunState.Open open
                  && open.facts().interactions().action(resolve.actionId()).isPresent()
              ? Decision.append(
                  new RunEvent.ActionResolved(
                      resolve.actionId(), resolve.decision(), null, resolve.by().actor()))
              : rules.decide(state, command);
      case RunCommand.GoOn _ ->
          defect == Defect.RESUMED_RUN_STAYS_ASIDE ? Decision.stay() : rules.decide(state, command);
      case RunCommand.Submit _,
          RunCommand.Report _,
          RunCommand.Message _,
          RunCommand.Cancel _,
          RunCommand.PutAside _,
          RunCommand.Turn _,
          RunCommand.Block _ ->
          rules.decide(state, command);
    };
  }

  private Decision claim(RunState state, RunCommand.Claim claim) {
    boolean another =
        state instanceof RunState.InProgress run
            && run.attempt().stage().open()
            && !run.attempt().id().equals(claim.attemptId());
    if (defect == Defect.RETRY_BEFORE_PAUSE && state instanceof RunState.Retrying run) {
      return Decision.append(
          new RunEvent.AttemptStarted(
              run.facts().attempts() + 1,
              claim.attemptId(),
              claim.runner(),
              claim.ticket(),
              run.last().stage() == Attempt.Stage.PAUSED));
    }
    if (defect == Defect.CLAIM_NOT_CHECKED && another) {
      return Decision.append(started((RunState.InProgress) state, claim));
    }
    if (defect == Defect.CLOCK_BEHIND_MEANS_LOST
        && state instanceof RunState.Open open
        && claim.now().isBefore(open.facts().wroteAt())) {
      return rules.decide(
          state,
          new RunCommand.Claim(
              claim.attemptId(),
              claim.runner(),
              claim.ticket(),
              claim.beat(),
              open.facts().wroteAt().plusSeconds(LONG_SECONDS)));
    }
    Decision decision = lost(state, claim);
    if (defect == Defect.TAKEN_OVER_IN_PLACE
        && another
        && decision instanceof Decision.Append append
        && append.events().getFirst() instanceof RunEvent.AttemptFailed failed
        && state instanceof RunState.InProgress run
        && run.facts().request().retry().allows(run.facts().tries(), Failure.RUNNER_LOST)) {
      return Decision.append(failed, started(run, claim));
    }
    return decision;
  }

  private static RunEvent started(RunState.InProgress run, RunCommand.Claim claim) {
    return new RunEvent.AttemptStarted(
        run.facts().attempts() + 1, claim.attemptId(), claim.runner(), claim.ticket(), false);
  }

  private Decision advance(RunState state, RunCommand.Advance advance) {
    return switch (state) {
      case RunState.Created _ when defect == Defect.ENQUEUE_NEVER_REPEATED -> Decision.stay();
      case RunState.Retrying run
          when defect == Defect.RETRY_NEVER_REPEATED
              && !advance.now().isBefore(run.waiting().resendAt())
              && rules.decide(run, advance) instanceof Decision.Append resent
              && resent.events().getFirst() instanceof RunEvent.TaskQueued ->
          Decision.stay();
      case RunState.Retrying run
          when defect == Defect.TIME_OF_HANDED_BACK_RUN_PASSES
              && run.last().stage() == Attempt.Stage.HANDED_BACK
              && !advance.now().isBefore(run.facts().stopAt(run.last().startedAt())) ->
          timedOut();
      case RunState.Paused paused
          when defect == Defect.PAUSED_NEVER_RESUMED && !paused.facts().interactions().awaiting() ->
          Decision.stay();
      case RunState.Paused paused
          when defect == Defect.RUN_PUT_ASIDE_GOES_ON
              && paused.facts().putAside()
              && !paused.facts().interactions().awaiting() ->
          goesOn(paused.last().number() + 1);
      case RunState.InProgress run
          when defect == Defect.DRAIN_FAILS_UNSTARTED_RUN
              && run.attempt().stage() == Attempt.Stage.HANDED_BACK
              && stopped(run.attempt()) ->
          failed(run.facts(), failure(Failure.RUNNER_STOPPED));
      case RunState.InProgress run when defect == Defect.SILENCE_TOO_SHORT ->
          rules.decide(run, advance).equals(Decision.stay())
              ? silent(run, advance)
              : rules.decide(run, advance);
      case RunState _ -> lost(state, advance);
    };
  }

  private static Decision goesOn(int next) {
    return Decision.append(new RunEvent.TaskResumed(next), new RunEvent.TaskQueued(next, 0, 0));
  }

  private Decision silent(RunState.InProgress run, RunCommand.Advance advance) {
    Decision later =
        rules.decide(run, new RunCommand.Advance(advance.now().plusSeconds(TOO_SHORT_SECONDS)));
    return later instanceof Decision.Append append
            && append.events().getFirst() instanceof RunEvent.AttemptEnd
        ? later
        : Decision.stay();
  }

  private static boolean stopped(Attempt attempt) {
    return attempt.failure() != null && attempt.failure().code().equals(Failure.RUNNER_STOPPED);
  }

  private Decision undelivered(RunState state, RunCommand.Undelivered late) {
    return switch (state) {
      case RunState.InProgress run
          when defect == Defect.DEAD_LETTER_ENDS_LIVING_ATTEMPT && run.attempt().stage().open() ->
          failed(run.facts(), failure("dead_letter"));
      case RunState.Created run when defect == Defect.DEAD_LETTER_ENDS_WAITING_RUN ->
          failed(run.facts(), failure("dead_letter"));
      case RunState.Retrying run when defect == Defect.DEAD_LETTER_ENDS_WAITING_RUN ->
          failed(run.facts(), failure("dead_letter"));
      case RunState _ -> rules.decide(state, late);
    };
  }

  /// What the rules say of an attempt whose runner may be gone.
  private Decision lost(RunState state, RunCommand command) {
    return switch (defect) {
      case LOST_WHILE_WAITING ->
          rules.decide(state, command) instanceof Decision.Append append
                  && append.events().getFirst() instanceof RunEvent.TaskPaused paused
              ? Decision.append(
                  new RunEvent.AttemptFailed(paused.attempt(), paused.attemptId(), LOST))
              : rules.decide(state, command);
      case Defect _ -> rules.decide(state, command);
    };
  }

  private static Decision timedOut() {
    Failure why = failure(Failure.TIMED_OUT);
    return new Decision.Append(
        List.of(new RunEvent.TurnFailed(why), new RunEvent.TaskTimedOut(why)));
  }

  private static Decision failed(RunFacts facts, Failure why) {
    List<String> undelivered =
        facts.interactions().inbox().stream()
            .filter(InboxMessage::undelivered)
            .map(InboxMessage::messageId)
            .toList();
    List<RunEvent> events = new ArrayList<>();
    if (!undelivered.isEmpty()) {
      events.add(new RunEvent.ChannelDisconnected(undelivered));
    }
    events.add(new RunEvent.TurnFailed(why));
    events.add(new RunEvent.TaskFailed(why));
    return new Decision.Append(events);
  }

  private static Failure failure(String code) {
    return new Failure(code, Category.INTERNAL, "It was planted.");
  }
}
