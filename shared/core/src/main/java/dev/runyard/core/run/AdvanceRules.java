package dev.runyard.core.run;

import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.interaction.Action;
import dev.runyard.core.interaction.InboxMessage;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.request.RetryPolicy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The rules of time and of finished attempts: retry, send again, or the terminal event.
final class AdvanceRules {
  private static final Failure OVERDUE =
      new Failure(
          Failure.TIMED_OUT,
          Category.CALLER,
          "The run took longer than its timeout. Raise timeout_seconds or ask for less.");
  private static final Failure OUTLIVED =
      new Failure(
          Failure.TIMED_OUT,
          Category.CALLER,
          "The run waited until its events were about to be removed. Submit again and let it wait"
              + " for less, or have RetentionDays raised.");
  private static final Failure NOT_STARTED =
      new Failure(
          Failure.NOT_STARTED,
          Category.CAPACITY,
          Blocking.NOT_TAKEN + " Raise the number of runners, then submit again.");

  /// Failures that another attempt would only repeat: neither time nor usage is reset.
  private static final Set<String> FINAL =
      Set.of(
          Failure.TIMED_OUT,
          Failure.AWAIT_TIMED_OUT,
          Failure.MAX_TURNS_REACHED,
          Failure.MAX_TOKENS_REACHED,
          Failure.MAX_COST_REACHED);

  private AdvanceRules() {}

  static Decision advance(RunState.Open state, Instant now) {
    return switch (state) {
      case RunState.Created run -> await(run.facts(), run.waiting(), waitEndsAt(run), 1, now);
      case RunState.Retrying run ->
          await(run.facts(), run.waiting(), waitEndsAt(run), run.last().number() + 1, now);
      case RunState.InProgress run -> running(run.facts(), run.attempt(), now);
      case RunState.Paused run -> paused(run, now);
      case RunState.CancellingIdle run -> cancelled(run.facts(), run.reason());
      case RunState.Cancelling run ->
          !run.attempt().stage().open() || !now.isBefore(giveUpAt(run))
              ? cancelled(run.facts(), run.reason())
              : Decision.stay();
    };
  }

  /// The message of a waiting run is sent again. For any other run the log says more than its
  /// message: an attempt that writes continues, a silent one ends when its time is up.
  static Decision undelivered(RunState.Open state, Instant now) {
    return switch (state) {
      case RunState.Created run ->
          run.waiting().behind() == null
              ? sendAgain(state, run.waiting(), waitEndsAt(run), 1, now)
              : advance(state, now);
      case RunState.Retrying run ->
          sendAgain(state, run.waiting(), waitEndsAt(run), run.last().number() + 1, now);
      case RunState.InProgress _,
          RunState.Paused _,
          RunState.CancellingIdle _,
          RunState.Cancelling _ ->
          advance(state, now);
    };
  }

  private static Decision sendAgain(
      RunState.Open state, RunState.Waiting waiting, Instant end, int attempt, Instant now) {
    return now.isBefore(end)
        ? Decision.append(
            new RunEvent.TaskQueued(
                attempt,
                Math.min(waiting.pauseSeconds(now), waiting.delaySeconds()),
                waiting.resend() + 1))
        : advance(state, now);
  }

  /// Records that a run waits for its turn or for a place, or that it waits for a runner from now
  /// on.
  static Decision turn(RunState.Open state, @Nullable String behind) {
    return state instanceof RunState.Created run
            && !kind(run.waiting().behind()).equals(kind(behind))
        ? Decision.append(new RunEvent.TaskQueued(1, 0, 0, behind, null))
        : Decision.stay();
  }

  /// What a run waits for: whichever run of its session it is, that is the same to it.
  private static String kind(@Nullable String behind) {
    return behind == null || behind.equals(RunState.Waiting.HELD) ? "" + behind : "session";
  }

  /// When the state may next change by itself; `sweep` checks the run then.
  static Optional<Instant> dueAt(RunState state) {
    return switch (state) {
      case RunState.Absent _, RunState.Closed _ -> Optional.empty();
      case RunState.Created run -> Optional.of(earlier(run.waiting().resendAt(), waitEndsAt(run)));
      case RunState.Retrying run -> Optional.of(earlier(run.waiting().resendAt(), waitEndsAt(run)));
      case RunState.InProgress run ->
          Optional.of(
              run.attempt().stage().open()
                  ? earlier(openEndsAt(run.facts()), silentAt(run.facts()))
                  : run.facts().at());
      case RunState.Paused run
          when run.facts().putAside() && !run.facts().interactions().awaiting() ->
          Optional.of(run.facts().lifeEndsAt()).filter(Instant.MAX::isAfter);
      case RunState.Paused run ->
          Optional.of(
              run.facts().interactions().awaiting()
                  ? earlier(awaitEndsAt(run.facts(), 0), run.facts().lifeEndsAt())
                  : run.facts().at());
      case RunState.CancellingIdle run -> Optional.of(run.since());
      case RunState.Cancelling run ->
          Optional.of(run.attempt().stage().open() ? giveUpAt(run) : run.facts().at());
    };
  }

  /// When an attempt is over that its runner should have ended: a runner that shows signs of life
  /// may still store what the agent left. While it waits for a person, the action's time limit
  /// applies instead.
  private static Instant openEndsAt(RunFacts facts) {
    if (facts.interactions().awaiting()) {
      return awaitEndsAt(facts, Limits.STOP_SECONDS + Limits.CLOCK_SKEW_SECONDS_MAX);
    }
    Instant overdue = overdueAt(facts);
    Instant dead = facts.wroteAt().plusSeconds(Limits.SURELY_DEAD_SECONDS);
    return dead.isAfter(overdue)
        ? earlier(dead, overdue.plusSeconds(Limits.CLOSE_SECONDS_MAX))
        : overdue;
  }

  /// When a pending action expires; a runner gets `grace` seconds to handle that itself, by its own
  /// clock.
  private static Instant awaitEndsAt(RunFacts facts, int grace) {
    return facts
        .interactions()
        .firstToExpire()
        .map(action -> action.expiresAt().plusSeconds(grace))
        .orElse(facts.at());
  }

  /// A run that waits for its turn does not wait for a runner yet.
  private static Instant waitEndsAt(RunState.Created run) {
    Instant end = run.facts().lifeEndsAt();
    return run.waiting().behind() == null ? earlier(queueEndsAt(run.waiting()), end) : end;
  }

  /// A continuation's run time does not count until a runner has it.
  private static Instant waitEndsAt(RunState.Retrying run) {
    Instant end = earlier(queueEndsAt(run.waiting()), run.facts().lifeEndsAt());
    return run.last().stage() == Attempt.Stage.PAUSED ? end : earlier(end, overdueAt(run.facts()));
  }

  private static Instant queueEndsAt(RunState.Waiting waiting) {
    return waiting.since().plusSeconds(Limits.QUEUED_SECONDS_MAX);
  }

  /// When a run is over by any clock. Its deadline is told by the clock of the runner that claimed
  /// it, which may be behind that of the function by as much as two clocks differ.
  private static Instant overdueAt(RunFacts facts) {
    Instant deadline = facts.deadline();
    return deadline == null
        ? facts.at().plusSeconds(Limits.RUN_SECONDS_MAX)
        : deadline.plusSeconds(Limits.CLOCK_SKEW_SECONDS_MAX);
  }

  /// A cancelled run waits for its runner, but never beyond its own deadline.
  private static Instant giveUpAt(RunState.Cancelling run) {
    Instant end = run.since().plusSeconds(Limits.CANCEL_SECONDS_MAX);
    return run.facts().interactions().awaiting() ? end : earlier(end, overdueAt(run.facts()));
  }

  /// When an open attempt that writes nothing is taken for dead, should its queue message be lost
  /// too.
  private static Instant silentAt(RunFacts facts) {
    return facts.wroteAt().plusSeconds(Limits.SILENT_SECONDS);
  }

  private static Instant earlier(Instant a, Instant b) {
    return a.isBefore(b) ? a : b;
  }

  private static Decision await(
      RunFacts facts, RunState.Waiting waiting, Instant end, int attempt, Instant now) {
    if (!now.isBefore(end)) {
      if (RunForm.newer(facts.form())) {
        return RunForm.end(facts);
      }
      if (outlived(facts, now)) {
        return timedOut(facts, OUTLIVED);
      }
      return facts.startedAt() == null
          ? failed(facts, Blocking.notTaken(waiting).orElse(NOT_STARTED))
          : timedOut(facts, OVERDUE);
    }
    if (RunForm.newer(facts.form()) && RunForm.tell(waiting) instanceof Decision.Append told) {
      return told;
    }
    return now.isBefore(waiting.resendAt())
        ? Decision.stay()
        : Decision.append(
            new RunEvent.TaskQueued(attempt, 0, waiting.resend() + 1, waiting.behind(), null));
  }

  private static Decision running(RunFacts facts, Attempt attempt, Instant now) {
    return switch (attempt.stage()) {
      case CLAIMED, RUNNING, EXITED -> open(facts, attempt, now);
      case SUCCEEDED ->
          ended(
              facts,
              ActionDecision.CANCELLED,
              new RunEvent.TurnCompleted(),
              new RunEvent.TaskCompleted());
      case FAILED, PAUSED -> retryOrFail(facts, attempt, now);
      case HANDED_BACK -> again(facts, attempt, now);
    };
  }

  private static Decision open(RunFacts facts, Attempt attempt, Instant now) {
    if (!now.isBefore(openEndsAt(facts))) {
      return facts.interactions().awaiting() ? expired(facts) : timedOut(facts, OVERDUE);
    }
    if (now.isBefore(silentAt(facts))) {
      return Decision.stay();
    }
    return Decision.append(LostAttempt.end(facts, attempt));
  }

  private static Decision paused(RunState.Paused run, Instant now) {
    RunFacts facts = run.facts();
    if (facts.interactions().awaiting() && !now.isBefore(awaitEndsAt(facts, 0))) {
      return expired(facts);
    }
    if (outlived(facts, now)) {
      return timedOut(facts, OUTLIVED);
    }
    return run.rests() ? Decision.stay() : new Decision.Append(AsideRules.again(run));
  }

  private static boolean outlived(RunFacts facts, Instant now) {
    return !now.isBefore(facts.lifeEndsAt());
  }

  /// The first pending action expired: it is refused if that is safe, else the run ends.
  private static Decision expired(RunFacts facts) {
    Action action = facts.interactions().firstToExpire().orElseThrow();
    if (!action.actionType().timeoutDenies()) {
      return timedOut(facts, Failure.notAnswered());
    }
    return new Decision.Append(
        InteractionRules.resolved(
            action,
            new RunEvent.ActionResolved(
                action.actionId(), ActionDecision.TIMED_OUT, null, InteractionRules.BY_RUNYARD)));
  }

  /// No agent was started, so another may be, whatever the retry policy says.
  private static Decision again(RunFacts facts, Attempt attempt, Instant now) {
    int next = attempt.number() + 1;
    boolean may =
        facts.tries() < RetryPolicy.ATTEMPTS_MAX
            && facts.attempts() < Limits.ATTEMPTS_HANDED_BACK_MAX;
    return may && now.isBefore(overdueAt(facts))
        ? new Decision.Append(next(facts, next, reason(attempt), 0))
        : retryOrFail(facts, attempt, now);
  }

  /// Another attempt follows, at once or when the run may go on.
  private static List<RunEvent> next(RunFacts facts, int number, String reason, int delaySeconds) {
    RunEvent retrying = new RunEvent.TaskRetrying(number, reason);
    return facts.putAside()
        ? List.of(retrying)
        : List.of(retrying, new RunEvent.TaskQueued(number, delaySeconds, 0));
  }

  private static String reason(Attempt attempt) {
    return attempt.failure() == null ? Failure.RUNNER_LOST : attempt.failure().code();
  }

  private static Decision retryOrFail(RunFacts facts, Attempt attempt, Instant now) {
    Failure failure = attempt.failure() == null ? LostAttempt.LOST : attempt.failure();
    RetryPolicy retry = facts.request().retry();
    boolean time = facts.interactions().awaiting() || now.isBefore(overdueAt(facts));
    boolean worth = !FINAL.contains(failure.code()) && retry.allows(facts.tries(), failure.code());
    // What could not be ended may still work for the run, and must not be joined by another agent.
    boolean alone = attempt.processesLeft() == 0;
    if (time && worth && alone && !outlived(facts, now)) {
      int next = attempt.number() + 1;
      List<RunEvent> events = new ArrayList<>();
      events.addAll(InteractionRules.resolveAll(facts, ActionDecision.CANCELLED));
      events.addAll(next(facts, next, failure.code(), retry.delaySeconds(facts.tries())));
      return new Decision.Append(events);
    }
    return switch (failure.code()) {
      case Failure.TIMED_OUT, Failure.AWAIT_TIMED_OUT -> timedOut(facts, failure);
      case Failure.RUNNER_LOST -> failed(facts, failure, new RunEvent.TaskLost(failure));
      case String _ -> failed(facts, failure);
    };
  }

  private static Decision timedOut(RunFacts facts, Failure failure) {
    return ended(
        facts,
        failure.code().equals(Failure.AWAIT_TIMED_OUT)
            ? ActionDecision.TIMED_OUT
            : ActionDecision.CANCELLED,
        new RunEvent.TurnFailed(failure),
        new RunEvent.TaskTimedOut(failure));
  }

  static Decision failed(RunFacts facts, Failure failure) {
    return failed(facts, failure, new RunEvent.TaskFailed(failure));
  }

  private static Decision failed(RunFacts facts, Failure failure, RunEvent last) {
    return ended(facts, ActionDecision.CANCELLED, new RunEvent.TurnFailed(failure), last);
  }

  private static Decision cancelled(RunFacts facts, String reason) {
    return failed(
        facts,
        new Failure(Failure.CANCELLED, Category.CALLER, "cancelled"),
        new RunEvent.TaskCancelled(reason));
  }

  /// The last chunk: it settles everything that was still open.
  private static Decision ended(
      RunFacts facts, ActionDecision pending, RunEvent turn, RunEvent last) {
    List<RunEvent> events = new ArrayList<>(InteractionRules.resolveAll(facts, pending));
    List<String> undelivered =
        facts.interactions().inbox().stream()
            .filter(InboxMessage::undelivered)
            .map(InboxMessage::messageId)
            .toList();
    if (!undelivered.isEmpty()) {
      events.add(new RunEvent.ChannelDisconnected(undelivered));
    }
    events.add(turn);
    events.add(last);
    return new Decision.Append(events);
  }
}
