package dev.runyard.core.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.request.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// What time, finished attempts and dead letters lead to in every state.
class AdvanceRulesTest {
  private static final Instant CLAIMED = SampleStates.CLAIMED;
  private static final RetryPolicy ALWAYS = new RetryPolicy(3, List.of("*"), 5);
  private static final Duration MUCH_LATER = Duration.ofDays(2);
  private final Map<String, RunState> states = new SampleStates(RetryPolicy.NEVER).all();

  @Test
  void movesOnAtOnceWhenAnAttemptHasEnded() {
    check(
        new RunCommand.Advance(CLAIMED.plusSeconds(1)),
        """
        absent: NO_RUN
        created, retrying, claimed, running, exited: STAY
        succeeded: turn.completed task.completed
        failed: turn.failed task.failed
        cancelling-idle, cancelling-succeeded, cancelling-failed: turn.failed task.cancelled
        cancelling-claimed, cancelling-running, cancelling-exited: STAY
        Completed, Failed, Cancelled: STAY
        asked, answered, paused, resuming: STAY
        asked-failed: action.resolved turn.failed task.failed
        decided: task.resumed task.queued
        """);
  }

  @Test
  void sendsTheMessageOfAWaitingRunAgain() {
    check(
        new RunCommand.Advance(CLAIMED.plusSeconds(Limits.RESEND_SECONDS)),
        """
        absent: NO_RUN
        created, retrying: task.queued
        claimed, running, exited: STAY
        succeeded: turn.completed task.completed
        failed: turn.failed task.failed
        cancelling-idle, cancelling-succeeded, cancelling-failed: turn.failed task.cancelled
        cancelling-claimed, cancelling-running, cancelling-exited: STAY
        Completed, Failed, Cancelled: STAY
        asked, answered, paused: STAY
        resuming: task.queued
        asked-failed: action.resolved turn.failed task.failed
        decided: task.resumed task.queued
        """);
  }

  @Test
  void takesASilentAttemptForDead() {
    check(
        new RunCommand.Advance(CLAIMED.plusSeconds(Limits.SILENT_SECONDS)),
        """
        absent: NO_RUN
        created, retrying: task.queued
        claimed, running, exited: task.attempt.failed
        succeeded: turn.completed task.completed
        failed: turn.failed task.failed
        cancelling-idle, cancelling-claimed, cancelling-running: turn.failed task.cancelled
        cancelling-exited, cancelling-succeeded: turn.failed task.cancelled
        cancelling-failed: turn.failed task.cancelled
        Completed, Failed, Cancelled: STAY
        asked, answered: task.paused
        paused: STAY
        resuming: task.queued
        asked-failed: action.resolved turn.failed task.failed
        decided: task.resumed task.queued
        """);
  }

  @Test
  void endsWhateverIsOverdue() {
    check(
        new RunCommand.Advance(CLAIMED.plus(MUCH_LATER)),
        """
        absent: NO_RUN
        created: turn.failed task.failed
        retrying, claimed, running, exited: turn.failed task.timed_out
        succeeded: turn.completed task.completed
        failed: turn.failed task.failed
        cancelling-idle, cancelling-claimed, cancelling-running: turn.failed task.cancelled
        cancelling-exited, cancelling-succeeded: turn.failed task.cancelled
        cancelling-failed: turn.failed task.cancelled
        Completed, Failed, Cancelled: STAY
        asked, paused: action.resolved turn.failed task.timed_out
        answered, resuming: turn.failed task.timed_out
        asked-failed: action.resolved turn.failed task.failed
        decided: task.resumed task.queued
        """);
  }

  /// The clock of its runner is a minute late and that of the function a minute early, so that the
  /// function hears of what was just written as if it were two minutes old.
  @Test
  void endsNothingThatHasTimeByTheClockOfItsRunner() {
    Instant last = CLAIMED.plusSeconds(599);
    for (String name : List.of("claimed", "running", "exited")) {
      assertEquals("STAY", heardTwoMinutesLater(name, last), name);
    }
    assertEquals("STAY", heardTwoMinutesLater("asked", SampleStates.EXPIRES));
  }

  /// It would have no time either.
  @Test
  void triesNoAttemptAgainWhoseTimeWasOver() {
    RunState late =
        SampleStates.then(
            new SampleStates(ALWAYS).running(),
            new RunEvent.AttemptFailed(
                1, "attempt-1", Failure.backend(Failure.TIMED_OUT, "It took too long.")));

    assertEquals(
        "turn.failed task.timed_out",
        RunRulesTest.outcome(late, new RunCommand.Advance(CLAIMED.plusSeconds(600))));
  }

  private String heardTwoMinutesLater(String name, Instant wrote) {
    RunState state = Objects.requireNonNull(states.get(name));
    RunState talking = SampleStates.fold(state, wrote, new RunEvent.RunStatus("running"));
    Instant now = wrote.plusSeconds(Limits.CLOCK_SKEW_SECONDS_MAX);
    return RunRulesTest.outcome(talking, new RunCommand.Advance(now));
  }

  @Test
  void sendsAgainWhatNobodyDeliveredAndEndsNothingForIt() {
    check(
        new RunCommand.Undelivered(CLAIMED.plusSeconds(1)),
        """
        absent: NO_RUN
        created, retrying, resuming: task.queued
        claimed, running, exited: STAY
        succeeded: turn.completed task.completed
        failed: turn.failed task.failed
        cancelling-idle, cancelling-succeeded, cancelling-failed: turn.failed task.cancelled
        cancelling-claimed, cancelling-running, cancelling-exited: STAY
        Completed, Failed, Cancelled: STAY
        asked, answered, paused: STAY
        asked-failed: action.resolved turn.failed task.failed
        decided: task.resumed task.queued
        """);
  }

  @Test
  void sendsAnUndeliveredRunAgainForTheEndOfItsPause() {
    RunState pausing =
        SampleStates.then(
            SampleStates.failed(Objects.requireNonNull(states.get("exited"))),
            new RunEvent.TaskQueued(2, 60, 0));
    Instant soon = SampleStates.CLAIMED.plusMillis(19_500);

    assertEquals(
        Decision.append(new RunEvent.TaskQueued(2, 41, 1)),
        RunRules.decide(pausing, new RunCommand.Undelivered(soon)));
  }

  @Test
  void treatsAnUndeliveredMessageOfAnySilentAttemptAsTimeDoes() {
    Instant silent = CLAIMED.plusSeconds(Limits.SILENT_SECONDS);
    states.forEach(
        (name, state) -> {
          if (!(state instanceof RunState.Created) && !(state instanceof RunState.Retrying)) {
            assertEquals(
                RunRulesTest.outcome(state, new RunCommand.Advance(silent)),
                RunRulesTest.outcome(state, new RunCommand.Undelivered(silent)),
                name);
          }
        });
  }

  @Test
  void failsAWaitingRunWhoseTimeIsOverThoughItsMessageCameBack() {
    Instant end = SampleStates.START.plusSeconds(Limits.QUEUED_SECONDS_MAX);

    assertEquals(
        "turn.failed task.failed",
        RunRulesTest.outcome(
            new SampleStates(RetryPolicy.NEVER).created(), new RunCommand.Undelivered(end)));
  }

  @Test
  void retriesAsThePolicyOfTheRunSays() {
    RunState failed = SampleStates.failed(new SampleStates(ALWAYS).exited());

    assertEquals(
        Decision.append(
            new RunEvent.TaskRetrying(2, "agent_error"), new RunEvent.TaskQueued(2, 5, 0)),
        RunRules.decide(failed, new RunCommand.Advance(CLAIMED)));
    assertEquals(
        "turn.failed task.failed",
        RunRulesTest.outcome(failed, new RunCommand.Advance(CLAIMED.plus(MUCH_LATER))));
  }

  @Test
  void namesTheNextAttemptOfARunThatWaitsForIt() {
    assertEquals(
        Decision.append(new RunEvent.TaskQueued(2, 0, 1)),
        RunRules.decide(
            Objects.requireNonNull(states.get("retrying")),
            new RunCommand.Advance(CLAIMED.plusSeconds(Limits.RESEND_SECONDS))));
    assertEquals(
        Decision.append(new RunEvent.TaskResumed(2), new RunEvent.TaskQueued(2, 0, 0)),
        RunRules.decide(
            Objects.requireNonNull(states.get("decided")), new RunCommand.Advance(CLAIMED)));
  }

  @Test
  void saysWhetherAnActionExpiredOrItsRunEnded() {
    Instant expires = SampleStates.EXPIRES;
    assertEquals(ActionDecision.TIMED_OUT, resolvedBy("paused", expires));
    assertEquals(ActionDecision.CANCELLED, resolvedBy("asked-failed", CLAIMED));
    RunState late =
        SampleStates.then(
            new SampleStates(RetryPolicy.NEVER).asked(),
            new RunEvent.AttemptFailed(
                1, "attempt-1", Failure.backend(Failure.TIMED_OUT, "It took too long.")));
    assertEquals(ActionDecision.CANCELLED, resolvedBy(late, CLAIMED));
  }

  @Test
  void endsACancelledRunWhoseAttemptPaused() {
    RunState paused =
        SampleStates.then(
            Objects.requireNonNull(states.get("cancelling-running")),
            new RunEvent.TaskPaused(1, "attempt-1", "awaiting"));

    assertEquals(
        "turn.failed task.cancelled",
        RunRulesTest.outcome(paused, new RunCommand.Advance(CLAIMED)));
  }

  @Test
  void recordsItsPlaceInItsSessionBeforeItsFirstAttemptOnly() {
    RunState waits =
        SampleStates.then(
            Objects.requireNonNull(states.get("created")),
            new RunEvent.TaskQueued(1, 0, 0, "another", null));
    assertEquals("STAY", RunRulesTest.outcome(waits, new RunCommand.Turn("another")));
    assertEquals("task.queued", RunRulesTest.outcome(waits, new RunCommand.Turn(null)));
    check(
        new RunCommand.Turn(null),
        """
        absent: NO_RUN
        created, retrying, claimed, running, exited, succeeded, failed: STAY
        asked, asked-failed, answered, paused, decided, resuming: STAY
        cancelling-idle, cancelling-claimed, cancelling-running: STAY
        cancelling-exited, cancelling-succeeded, cancelling-failed: STAY
        Completed, Failed, Cancelled: STAY
        """);
  }

  @Test
  void namesTheEndByTheFailureOfItsAttempt() {
    assertEquals("turn.failed task.timed_out", endOf(Failure.TIMED_OUT));
    assertEquals("turn.failed task.lost", endOf(Failure.RUNNER_LOST));
    assertEquals("turn.failed task.failed", endOf(Failure.LAUNCH_FAILED));
  }

  @Test
  void movesExactlyWhenItSaysItIsDue() {
    states.forEach(
        (name, state) ->
            state
                .dueAt()
                .ifPresent(
                    due -> {
                      Instant justBefore = due.minusMillis(1);
                      assertFalse(
                          RunRulesTest.outcome(state, new RunCommand.Advance(due)).equals("STAY"),
                          name);
                      if (justBefore.isAfter(CLAIMED)) {
                        assertEquals(
                            "STAY",
                            RunRulesTest.outcome(state, new RunCommand.Advance(justBefore)),
                            name);
                      }
                    }));
  }

  @Test
  void isDueAsLongAsItIsOpen() {
    states.forEach(
        (name, state) ->
            assertEquals(state instanceof RunState.Open, state.dueAt().isPresent(), name));
  }

  @Test
  void doublesThePauseBetweenMessages() {
    RunState.Waiting first = new RunState.Waiting(CLAIMED, CLAIMED, 0, 0, null, null);
    RunState.Waiting delayed = new RunState.Waiting(CLAIMED, CLAIMED, 30, 2, null, null);
    RunState.Waiting many =
        new RunState.Waiting(CLAIMED, CLAIMED, 0, Integer.MAX_VALUE, null, null);

    assertEquals(CLAIMED.plusSeconds(60), first.resendAt());
    assertEquals(CLAIMED.plusSeconds(30 + 240), delayed.resendAt());
    assertEquals(CLAIMED.plusSeconds(Limits.RESEND_SECONDS_MAX), many.resendAt());
  }

  /// Whatever happens, an open run ends after a bounded number of changes as time passes.
  @Test
  void alwaysComesToAnEnd() {
    states.forEach(
        (name, state) -> {
          if (state instanceof RunState.Open) {
            assertTrue(endOf(state).closed(), name);
          }
        });
  }

  private ActionDecision resolvedBy(String state, Instant now) {
    return resolvedBy(Objects.requireNonNull(states.get(state)), now);
  }

  /// How advancing a run decides its pending action.
  private static ActionDecision resolvedBy(RunState state, Instant now) {
    Decision decision = RunRules.decide(state, new RunCommand.Advance(now));
    RunEvent first = assertInstanceOf(Decision.Append.class, decision).events().getFirst();
    return assertInstanceOf(RunEvent.ActionResolved.class, first).decision();
  }

  private static RunState endOf(RunState from) {
    RunState state = from;
    for (int i = 0; i < 100 && !state.closed(); i++) {
      Instant due = state.dueAt().orElseThrow();
      if (RunRules.decide(state, new RunCommand.Advance(due)) instanceof Decision.Append append) {
        state = SampleStates.fold(state, due, append.events().toArray(RunEvent[]::new));
      }
    }
    return state;
  }

  private static String endOf(String code) {
    RunState state =
        SampleStates.then(
            new SampleStates(RetryPolicy.NEVER).running(),
            new RunEvent.AttemptFailed(1, "attempt-1", Failure.backend(code, "why")));
    return RunRulesTest.outcome(state, new RunCommand.Advance(CLAIMED));
  }

  private void check(RunCommand command, String table) {
    new StateTable(table).check(states, state -> RunRulesTest.outcome(state, command));
  }
}
