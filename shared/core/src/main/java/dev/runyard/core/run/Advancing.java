package dev.runyard.core.run;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import java.time.Instant;
import java.util.Optional;

/// What time and finished attempts make of a run: retry, send again, or the terminal event.
final class Advancing {
  private static final Failure OVERDUE =
      new Failure(
          Failure.TIMED_OUT,
          Category.CALLER,
          "The run took longer than its timeout. Raise timeout_seconds or ask for less.");
  private static final Failure NOT_STARTED =
      new Failure(
          Failure.NOT_STARTED,
          Category.CAPACITY,
          "No runner took the run in time. Raise the number of runners, then submit again.");

  private Advancing() {}

  static Decision advance(RunState.Open state, Instant now) {
    return switch (state) {
      case RunState.Created run -> await(run.facts(), run.waiting(), 1, now);
      case RunState.Retrying run -> await(run.facts(), run.waiting(), run.last().number() + 1, now);
      case RunState.InProgress run -> running(run, now);
      case RunState.CancellingIdle run -> cancelled(run.reason());
      case RunState.Cancelling run ->
          !run.attempt().stage().open() || !now.isBefore(giveUpAt(run))
              ? cancelled(run.reason())
              : Decision.stay();
    };
  }

  static Decision abandon(RunState.Open state, String message) {
    return switch (state) {
      case RunState.CancellingIdle run -> cancelled(run.reason());
      case RunState.Cancelling run -> cancelled(run.reason());
      case RunState.InProgress run when !run.attempt().stage().open() ->
          advance(run, run.facts().at());
      case RunState.Created _, RunState.Retrying _, RunState.InProgress _ ->
          failed(new Failure(Failure.DEAD_LETTER, Category.INTERNAL, message));
    };
  }

  /// When the state may next move without anybody's doing; `clock` looks again then.
  static Optional<Instant> dueAt(RunState state) {
    return switch (state) {
      case RunState.Absent _, RunState.Closed _ -> Optional.empty();
      case RunState.Created run -> Optional.of(waitDueAt(run.facts(), run.waiting()));
      case RunState.Retrying run -> Optional.of(waitDueAt(run.facts(), run.waiting()));
      case RunState.InProgress run ->
          Optional.of(
              run.attempt().stage().open()
                  ? earlier(deadline(run.facts()), silentAt(run.facts()))
                  : run.facts().at());
      case RunState.CancellingIdle run -> Optional.of(run.since());
      case RunState.Cancelling run ->
          Optional.of(run.attempt().stage().open() ? giveUpAt(run) : run.facts().at());
    };
  }

  private static Instant waitDueAt(RunFacts facts, RunState.Waiting waiting) {
    Instant end = waitEndsAt(facts, waiting);
    return earlier(waiting.resendAt(), end);
  }

  private static Instant waitEndsAt(RunFacts facts, RunState.Waiting waiting) {
    Instant end = waiting.since().plusSeconds(Limits.QUEUED_SECONDS_MAX);
    return facts.startedAt() == null || deadline(facts).isAfter(end) ? end : deadline(facts);
  }

  private static Instant deadline(RunFacts facts) {
    Instant deadline = facts.deadline();
    return deadline == null ? facts.at().plusSeconds(Limits.RUN_SECONDS_MAX) : deadline;
  }

  /// A cancelled run waits for its runner, but never beyond the deadline it had anyway.
  private static Instant giveUpAt(RunState.Cancelling run) {
    return earlier(run.since().plusSeconds(Limits.CANCEL_SECONDS_MAX), deadline(run.facts()));
  }

  /// When an open attempt that writes nothing is taken for dead, should its queue message be lost
  /// too.
  private static Instant silentAt(RunFacts facts) {
    return facts.at().plusSeconds(Limits.SILENT_SECONDS);
  }

  private static Instant earlier(Instant a, Instant b) {
    return a.isBefore(b) ? a : b;
  }

  private static Decision await(
      RunFacts facts, RunState.Waiting waiting, int attempt, Instant now) {
    if (!now.isBefore(waitEndsAt(facts, waiting))) {
      return facts.startedAt() == null ? failed(NOT_STARTED) : timedOut(OVERDUE);
    }
    return now.isBefore(waiting.resendAt())
        ? Decision.stay()
        : Decision.append(new RunEvent.TaskQueued(attempt, 0, waiting.resend() + 1));
  }

  private static Decision running(RunState.InProgress run, Instant now) {
    return switch (run.attempt().stage()) {
      case CLAIMED, RUNNING, EXITED -> open(run.facts(), run.attempt(), now);
      case SUCCEEDED -> Decision.append(new RunEvent.TurnCompleted(), new RunEvent.TaskCompleted());
      case FAILED -> retryOrFail(run.facts(), run.attempt(), now);
    };
  }

  private static Decision open(RunFacts facts, Attempt attempt, Instant now) {
    if (!now.isBefore(deadline(facts))) {
      return timedOut(OVERDUE);
    }
    return now.isBefore(silentAt(facts))
        ? Decision.stay()
        : Decision.append(
            new RunEvent.AttemptFailed(attempt.number(), attempt.id(), RunRules.LOST));
  }

  private static Decision retryOrFail(RunFacts facts, Attempt attempt, Instant now) {
    Failure failure = attempt.failure() == null ? RunRules.LOST : attempt.failure();
    RetryPolicy retry = facts.request().retry();
    if (now.isBefore(deadline(facts)) && retry.allows(attempt.number(), failure.code())) {
      int next = attempt.number() + 1;
      return Decision.append(
          new RunEvent.TaskRetrying(next, failure.code()),
          new RunEvent.TaskQueued(next, retry.delaySeconds(attempt.number()), 0));
    }
    return switch (failure.code()) {
      case Failure.TIMED_OUT -> timedOut(failure);
      case Failure.RUNNER_LOST -> ended(failure, new RunEvent.TaskLost(failure));
      case String _ -> failed(failure);
    };
  }

  private static Decision timedOut(Failure failure) {
    return ended(failure, new RunEvent.TaskTimedOut(failure));
  }

  private static Decision failed(Failure failure) {
    return ended(failure, new RunEvent.TaskFailed(failure));
  }

  private static Decision cancelled(String reason) {
    return ended(
        new Failure(Failure.CANCELLED, Category.CALLER, "cancelled"),
        new RunEvent.TaskCancelled(reason));
  }

  private static Decision ended(Failure failure, RunEvent last) {
    return Decision.append(new RunEvent.TurnFailed(failure), last);
  }
}
