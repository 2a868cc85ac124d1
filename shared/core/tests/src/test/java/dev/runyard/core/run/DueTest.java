package dev.runyard.core.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.request.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The second at which each kind of waiting is over, and that `dueAt` returns it.
class DueTest {
  private static final Instant START = SampleStates.START;
  private static final RunEvent CANCEL = new RunEvent.CancelRequested("changed my mind");
  private static final Duration INSTANT = Duration.ofMillis(1);

  @ParameterizedTest
  @ValueSource(ints = {1, 60, 600, Limits.RUN_SECONDS_MAX})
  void timesOutAtTheDeadlineOfAnAttemptThatKeepsTalking(int timeoutSeconds) {
    Instant deadline = closed(timeoutSeconds);
    RunState running = at(running(timeoutSeconds), deadline.minusSeconds(1), status());

    moves(running, deadline, "turn.failed task.timed_out");
  }

  @Test
  void allowsTheLongestRunWhereTheCallerSetsNoTimeout() {
    Instant deadline = closed(Limits.RUN_SECONDS_MAX);
    RunState running = at(running(0), deadline.minusSeconds(5), status());

    moves(running, deadline, "turn.failed task.timed_out");
  }

  @Test
  void takesAnAttemptForDeadOnceItWasSilentForLong() {
    Instant spoke = START.plusSeconds(100);

    moves(
        at(running(3600), spoke, status()),
        spoke.plusSeconds(Limits.SILENT_SECONDS),
        "task.attempt.failed");
  }

  @Test
  void takesNoSignOfLifeFromWhatOthersWrite() {
    RunState running = running(3600);
    for (int i = 1; i <= 10; i++) {
      running =
          at(
              running,
              START.plusSeconds(i * 20L),
              new RunEvent.ChannelMessage("message-" + i, "still there?", null));
    }

    moves(running, START.plusSeconds(Limits.SILENT_SECONDS), "task.attempt.failed");
  }

  /// A runner that cannot write ends its agent before it counts as silent, though its clock is
  /// behind as far as may be and that of the function ahead.
  @Test
  void leavesARunnerItsTimeThoughTheClocksDiffer() {
    long runnerDone = 150L + Limits.STOP_SECONDS;
    Instant seen = START.plusSeconds(runnerDone + Limits.CLOCK_SKEW_SECONDS_MAX);

    assertEquals("STAY", outcome(running(3600), seen.minus(INSTANT)));
  }

  @Test
  void waitsForItsTurnWithoutAMessageAndWithoutAnEnd() {
    RunState waiting =
        at(created(600), START, new RunEvent.TaskQueued(1, 0, 0, "019c-first", null));
    Instant looked = START;
    for (long pause : List.of(60L, 120L, 240L, 480L, 960L, 1920L, 3600L, 3600L, 3600L)) {
      Instant due = looked.plusSeconds(pause);
      moves(waiting, due, "task.queued");
      waiting = after(waiting, due);
      assertEquals("019c-first", ((RunState.Created) waiting).waiting().behind());
      looked = due;
    }
    Instant nextDay = START.plus(Duration.ofHours(30));
    assertEquals("task.queued", outcome(waiting, nextDay));

    RunState turn = at(waiting, nextDay, new RunEvent.TaskQueued(1, 0, 0));
    for (int i = 0; i < 100 && due(turn).isBefore(nextDay.plusSeconds(43_200)); i++) {
      turn = after(turn, due(turn));
    }
    moves(turn, nextDay.plusSeconds(43_200), "turn.failed task.failed");
  }

  @Test
  void timesOutRatherThanTakesForDead() {
    Instant deadline = overdue(600);
    Instant spoke = deadline.minusSeconds(Limits.SILENT_SECONDS);

    moves(at(running(600), spoke, status()), deadline, "turn.failed task.timed_out");
  }

  /// It may have been storing what its agent left.
  @Test
  void waitsPastTheDeadlineForARunnerThatIsNotSilent() {
    Instant silent = overdue(600).minusSeconds(Limits.SURELY_DEAD_SECONDS);
    moves(at(running(600), silent, status()), overdue(600), "turn.failed task.timed_out");

    Instant spoke = overdue(600).plusSeconds(60);
    moves(
        at(running(600), spoke, status()),
        spoke.plusSeconds(Limits.SURELY_DEAD_SECONDS),
        "turn.failed task.timed_out");
  }

  @Test
  void doublesThePauseBetweenMessagesUpToAnHour() {
    RunState state = created(600);
    Instant sent = START;
    for (long pause : List.of(60L, 120L, 240L, 480L, 960L, 1920L, 3600L, 3600L)) {
      Instant due = sent.plusSeconds(pause);
      moves(state, due, "task.queued");
      state = after(state, due);
      sent = due;
    }
  }

  @Test
  void countsThePauseFromTheEndOfTheDelay() {
    RunState retrying = at(failed(600), START, new RunEvent.TaskQueued(2, 900, 0));

    moves(retrying, overdue(600), "turn.failed task.timed_out");
    moves(
        at(failed(3600), START, new RunEvent.TaskQueued(2, 900, 0)),
        START.plusSeconds(960),
        "task.queued");
  }

  @Test
  void failsARunThatNoRunnerTookForHalfADay() {
    RunState state = created(600);
    Instant end = START.plusSeconds(Limits.QUEUED_SECONDS_MAX);
    for (int i = 0; i < 100 && due(state).isBefore(end); i++) {
      state = after(state, due(state));
    }

    moves(state, end, "turn.failed task.failed");
  }

  @Test
  void givesUpACancelledRunnerAfterAWhile() {
    Instant cancelled = START.plusSeconds(100);

    moves(
        at(running(3600), cancelled, CANCEL),
        cancelled.plusSeconds(Limits.CANCEL_SECONDS_MAX),
        "turn.failed task.cancelled");
  }

  @Test
  void givesUpACancelledRunnerAtTheDeadlineAtTheLatest() {
    Instant deadline = overdue(600);

    moves(
        at(running(600), deadline.minusSeconds(10), CANCEL),
        deadline,
        "turn.failed task.cancelled");
  }

  @Test
  void givesUpACancelledRunnerEvenWhileItTalks() {
    Instant cancelled = START.plusSeconds(100);
    RunState talking =
        at(at(running(3600), cancelled, CANCEL), cancelled.plusSeconds(119), status());

    moves(talking, cancelled.plusSeconds(Limits.CANCEL_SECONDS_MAX), "turn.failed task.cancelled");
  }

  @Test
  void isDueAtOnceWhenAnAttemptHasEnded() {
    assertEquals(START, due(failed(600)));
    assertNotEquals("STAY", outcome(failed(600), START));
    assertNotEquals("STAY", outcome(at(failed(600), START, CANCEL), START));
  }

  /// Whatever a run's history, its state stays until it is due and changes when it is.
  @Test
  void movesWhenItIsDueAndNotBeforeInEveryState() {
    for (int timeout : List.of(0, 1, 30, 600, Limits.RUN_SECONDS_MAX)) {
      for (long later : List.of(0L, 1L, 59L, 60L, 179L, 180L, 749L, 750L, 43_199L, 43_200L)) {
        Map<String, RunState> states = states(timeout, START.plusSeconds(later));
        assertEquals(5, states.values().stream().map(RunState::getClass).distinct().count());
        states.forEach(
            (name, state) -> {
              String what = name + ", timeout " + timeout + ", later " + later;
              assertNotEquals("STAY", outcome(state, due(state)), what);
              if (!endedAttempt(state)) {
                assertEquals("STAY", outcome(state, due(state).minus(INSTANT)), what);
              }
            });
      }
    }
  }

  private static Map<String, RunState> states(int timeout, Instant later) {
    Map<String, RunState> states = new LinkedHashMap<>();
    states.put("created", created(timeout));
    states.put("sent again", at(created(timeout), later, new RunEvent.TaskQueued(1, 0, 3)));
    states.put("running", running(timeout));
    states.put("talking", at(running(timeout), later, status()));
    states.put("failed", at(failed(timeout), later, status()));
    states.put("retrying", at(failed(timeout), later, new RunEvent.TaskQueued(2, 5, 0)));
    states.put("cancelling", at(running(timeout), later, CANCEL));
    states.put("cancelling, ended", at(failed(timeout), later, CANCEL));
    states.put("cancelling, idle", at(created(timeout), later, CANCEL));
    return states;
  }

  private static boolean endedAttempt(RunState state) {
    return switch (state) {
      case RunState.Claimed run -> !run.attempt().stage().open();
      case RunState.Paused run -> !run.facts().interactions().awaiting();
      case RunState.CancellingIdle _ -> true;
      case RunState.Absent _, RunState.Created _, RunState.Retrying _, RunState.Closed _ -> false;
    };
  }

  private static void moves(RunState state, Instant due, String types) {
    assertEquals(due, due(state));
    assertEquals("STAY", outcome(state, due.minus(INSTANT)));
    assertEquals(types, outcome(state, due));
    assertEquals(types, outcome(state, due.plusSeconds(1)));
  }

  private static Instant due(RunState state) {
    return state.dueAt().orElseThrow();
  }

  private static String outcome(RunState state, Instant now) {
    return RunRulesTest.outcome(state, new RunCommand.Advance(now));
  }

  private static RunState after(RunState state, Instant now) {
    Decision.Append append =
        assertInstanceOf(
            Decision.Append.class, RunRules.decide(state, new RunCommand.Advance(now)));
    RunState moved = SampleStates.fold(state, now, append.events().toArray(RunEvent[]::new));
    assertTrue(moved.sequence() > state.sequence());
    return moved;
  }

  /// Its deadline is by the clock of its runner, which may be behind.
  private static Instant overdue(int timeoutSeconds) {
    return START.plusSeconds(
        timeoutSeconds + (long) Limits.STOP_SECONDS + Limits.CLOCK_SKEW_SECONDS_MAX);
  }

  /// Its runner may still store what the agent left.
  private static Instant closed(int timeoutSeconds) {
    return overdue(timeoutSeconds).plusSeconds(Limits.CLOSE_SECONDS_MAX);
  }

  private static RunState created(int timeoutSeconds) {
    return SampleStates.fold(
        RunState.absent(),
        START,
        new RunEvent.TaskCreated(
            "echo",
            Map.of(),
            List.of(),
            null,
            timeoutSeconds,
            Map.of(),
            Map.of(),
            RetryPolicy.NEVER),
        new RunEvent.TurnSubmitted("say hello"),
        new RunEvent.TaskQueued(1, 0, 0));
  }

  private static RunState running(int timeoutSeconds) {
    return at(
        created(timeoutSeconds),
        START,
        new RunEvent.AttemptStarted(1, "attempt-1", "runner-1", "message-1"),
        new RunEvent.ProcessStarted("process-1", "echo"));
  }

  private static RunState failed(int timeoutSeconds) {
    return SampleStates.fold(
        running(timeoutSeconds),
        START,
        new RunEvent.AttemptFailed(1, "attempt-1", SampleStates.FAILURE));
  }

  private static RunState at(RunState state, Instant when, RunEvent... events) {
    return SampleStates.fold(state, when, events);
  }

  private static RunEvent status() {
    return new RunEvent.RunStatus("running");
  }
}
