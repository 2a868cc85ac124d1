package dev.runyard.core.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.core.event.EventTypes;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.request.RetryPolicy;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Every command of clients and runners in every state; `AdvanceRulesTest` has those of `advance`
/// and `sweep`.
class RunRulesTest {
  private static final Instant JUST_NOW = SampleStates.CLAIMED.plusSeconds(1);
  private static final Instant QUIET = SampleStates.CLAIMED.plusSeconds(Limits.ALIVE_SECONDS);

  /// As far apart as two clocks may be.
  private static final Instant BEHIND =
      SampleStates.CLAIMED.minusSeconds(Limits.CLOCK_SKEW_SECONDS_MAX);

  private static final Instant AHEAD =
      SampleStates.CLAIMED.plusSeconds(Limits.CLOCK_SKEW_SECONDS_MAX);
  private static final Instant SILENT =
      SampleStates.CLAIMED.plusSeconds(Limits.SURELY_DEAD_SECONDS);
  private static final long BEAT = SampleStates.CLAIMED.toEpochMilli();
  private static final String TAKEN_OVER =
      """
      absent: NO_RUN
      created, retrying: task.attempt.started
      claimed, running, exited: task.attempt.failed
      succeeded, failed, cancelling-idle, cancelling-succeeded, cancelling-failed: FENCED
      cancelling-claimed, cancelling-running, cancelling-exited: task.attempt.failed
      Completed, Failed, Cancelled: CLOSED
      asked, answered: task.paused
      asked-failed, paused, decided: FENCED
      resuming: task.attempt.started
      """;

  /// What a copy of a message does, which asks for one attempt alone.
  private static final String STARTS_NONE = TAKEN_OVER.replace("task.attempt.started", "FENCED");

  private static final RetryPolicy ALWAYS = new RetryPolicy(3, List.of("*"), 5);
  private final Map<String, RunState> states = new SampleStates(RetryPolicy.NEVER).all();

  @Test
  void testsAStateOfEveryKind() {
    Set<Class<?>> tested =
        states.values().stream().map(Object::getClass).collect(Collectors.toSet());

    assertEquals(leaves(RunState.class).collect(Collectors.toSet()), tested);
  }

  @Test
  void makesARunOnce() {
    check(
        new RunCommand.Submit(SampleStates.request(RetryPolicy.NEVER)),
        """
        absent: task.created turn.submitted task.queued
        created, retrying, claimed, running, exited, succeeded, failed: EXISTS
        cancelling-idle, cancelling-claimed, cancelling-running, cancelling-exited: EXISTS
        cancelling-succeeded, cancelling-failed, Completed, Failed, Cancelled: EXISTS
        asked, asked-failed, answered, paused, decided, resuming: EXISTS
        """);
  }

  @Test
  void endsAnAttemptThatWroteNothingSinceItWasSeen() {
    for (RetryPolicy retry : List.of(RetryPolicy.NEVER, ALWAYS)) {
      for (Instant now : List.of(JUST_NOW, BEHIND, AHEAD)) {
        new StateTable(STARTS_NONE)
            .check(new SampleStates(retry).all(), state -> outcome(state, seen(BEAT, now)));
      }
    }
  }

  @Test
  void endsAnAttemptThatIsSilentForLongerThanClocksDiffer() {
    check(new RunCommand.Claim("attempt-9", "runner-9", "message-1", SILENT), TAKEN_OVER);
  }

  @Test
  void whatOthersWriteShowsNoAttemptAlive() {
    RunState told =
        SampleStates.fold(
            Objects.requireNonNull(states.get("running")),
            JUST_NOW,
            new RunEvent.ChannelMessage("message-9", "still there?", null));

    assertEquals("task.attempt.failed", outcome(told, seen(BEAT, QUIET)));
  }

  @Test
  void leavesAnAttemptAloneThatWroteSinceItWasSeen() {
    check(
        seen(BEAT - 1, QUIET),
        """
        absent: NO_RUN
        created, retrying: FENCED
        claimed, running, exited: FENCED
        succeeded, failed, cancelling-idle, cancelling-succeeded, cancelling-failed: FENCED
        cancelling-claimed, cancelling-running, cancelling-exited: FENCED
        Completed, Failed, Cancelled: CLOSED
        asked, answered: FENCED
        asked-failed, paused, decided: FENCED
        resuming: FENCED
        """);
  }

  @Test
  void judgesNoAttemptByTwoClocks() {
    for (Instant now : List.of(JUST_NOW, QUIET, BEHIND, AHEAD)) {
      check(
          new RunCommand.Claim("attempt-9", "runner-9", "message-1", now),
          """
          absent: NO_RUN
          created, retrying: task.attempt.started
          claimed, running, exited: DEFER
          succeeded, failed, cancelling-idle, cancelling-succeeded, cancelling-failed: FENCED
          cancelling-claimed, cancelling-running, cancelling-exited: DEFER
          Completed, Failed, Cancelled: CLOSED
          asked, answered: DEFER
          asked-failed, paused, decided: FENCED
          resuming: task.attempt.started
          """);
    }
  }

  /// Its runner relies on the time that a copy takes, whatever the clock of who receives its
  /// message.
  @Test
  void endsNoAttemptSoonerThanACopyOfItsMessage() {
    int wroteBeforeLeased = Limits.HEARTBEAT_SECONDS;
    int copied = Limits.LEASE_SECONDS + Limits.ALIVE_SECONDS;
    int ahead = Limits.CLOCK_SKEW_SECONDS_MAX + Limits.GATHER_SECONDS_MAX;
    Instant now = SampleStates.CLAIMED.plusSeconds(wroteBeforeLeased + copied + ahead - 1L);

    RunCommand claim = new RunCommand.Claim("attempt-9", "runner-9", "message-1", now);

    assertEquals("DEFER", outcome(Objects.requireNonNull(states.get("running")), claim));
  }

  @Test
  void saysWhenTheAttemptLastWrote() {
    RunCommand claim = new RunCommand.Claim("attempt-9", "runner-9", "message-1", JUST_NOW);
    RunState running = Objects.requireNonNull(states.get("running"));

    assertEquals(new Decision.Defer(BEAT), RunRules.decide(running, claim));
  }

  private static RunCommand seen(long beat, Instant now) {
    return new RunCommand.Claim("attempt-9", "runner-9", "message-1", OptionalLong.of(beat), now);
  }

  @Test
  void letsACopyOfTheMessageLose() {
    check(
        new RunCommand.Claim("attempt-9", "runner-9", "message-2", QUIET),
        """
        absent: NO_RUN
        created, retrying: task.attempt.started
        claimed, running, exited, succeeded, failed: FENCED
        cancelling-idle, cancelling-claimed, cancelling-running, cancelling-exited: FENCED
        cancelling-succeeded, cancelling-failed: FENCED
        Completed, Failed, Cancelled: CLOSED
        asked, answered, asked-failed, paused, decided: FENCED
        resuming: task.attempt.started
        """);
  }

  @Test
  void findsItsOwnClaimApplied() {
    check(
        new RunCommand.Claim("attempt-1", "runner-1", "message-1", JUST_NOW),
        """
        absent: NO_RUN
        created, retrying: task.attempt.started
        claimed, running, exited, succeeded, failed: STAY
        cancelling-idle: FENCED
        cancelling-claimed, cancelling-running, cancelling-exited: STAY
        cancelling-succeeded, cancelling-failed: STAY
        Completed, Failed, Cancelled: CLOSED
        asked, answered, asked-failed: STAY
        paused, decided: FENCED
        resuming: task.attempt.started
        """);
  }

  @Test
  void countsAttemptsOn() {
    RunState second = new SampleStates(ALWAYS).retrying();
    RunCommand claim = new RunCommand.Claim("attempt-2", "runner-2", "message-2", JUST_NOW);

    assertEquals(
        Decision.append(new RunEvent.AttemptStarted(2, "attempt-2", "runner-2", "message-2")),
        RunRules.decide(second, claim));
  }

  @Test
  void waitsForThePauseBeforeTheNextAttempt() {
    RunState pausing =
        SampleStates.then(
            SampleStates.failed(Objects.requireNonNull(states.get("exited"))),
            new RunEvent.TaskQueued(2, 5, 0));
    Instant over = SampleStates.CLAIMED.plusSeconds(5);

    assertEquals("NOT_YET", outcome(pausing, claimAt(over.minusMillis(1))));
    assertEquals("task.attempt.started", outcome(pausing, claimAt(over)));
  }

  private static RunCommand claimAt(Instant now) {
    return new RunCommand.Claim("attempt-2", "runner-2", "message-2", now);
  }

  @Test
  void takesOutputOfTheOpenAttemptOnly() {
    check(
        new RunCommand.Report("attempt-1", List.of(new RunEvent.ModelDelta("text"))),
        """
        absent: NO_RUN
        created, retrying, cancelling-idle: FENCED
        claimed, running, cancelling-claimed, cancelling-running: model.delta
        exited, cancelling-exited: AFTER_EXIT
        succeeded, failed, cancelling-succeeded, cancelling-failed: FENCED
        Completed, Failed, Cancelled: CLOSED
        asked, answered: model.delta
        asked-failed, paused, decided, resuming: FENCED
        """);
  }

  @Test
  void takesTheEndOfTheOpenAttemptOnly() {
    check(
        new RunCommand.Report("attempt-1", List.of(new RunEvent.AttemptCompleted(1, "attempt-1"))),
        """
        absent: NO_RUN
        created, retrying, cancelling-idle: FENCED
        claimed, running, exited: task.attempt.completed
        cancelling-claimed, cancelling-running, cancelling-exited: task.attempt.completed
        succeeded, failed, cancelling-succeeded, cancelling-failed: FENCED
        Completed, Failed, Cancelled: CLOSED
        asked, answered: task.attempt.completed
        asked-failed, paused, decided, resuming: FENCED
        """);
  }

  @Test
  void takesNoOutputAfterTheExitOfTheSameReport() {
    check(
        new RunCommand.Report(
            "attempt-1",
            List.of(
                new RunEvent.ProcessCompleted("process-1", 0, null, 1),
                new RunEvent.ModelDelta("late"))),
        """
        absent: NO_RUN
        created, retrying, cancelling-idle: FENCED
        claimed, running, exited: AFTER_EXIT
        cancelling-claimed, cancelling-running, cancelling-exited: AFTER_EXIT
        succeeded, failed, cancelling-succeeded, cancelling-failed: FENCED
        Completed, Failed, Cancelled: CLOSED
        asked, answered: AFTER_EXIT
        asked-failed, paused, decided, resuming: FENCED
        """);
  }

  @Test
  void fencesEveryOtherAttempt() {
    check(
        new RunCommand.Report("attempt-9", List.of(new RunEvent.ModelDelta("text"))),
        """
        absent: NO_RUN
        created, retrying, claimed, running, exited, succeeded, failed: FENCED
        cancelling-idle, cancelling-claimed, cancelling-running, cancelling-exited: FENCED
        cancelling-succeeded, cancelling-failed: FENCED
        Completed, Failed, Cancelled: CLOSED
        asked, answered, asked-failed, paused, decided, resuming: FENCED
        """);
  }

  @Test
  void hasNothingToDoForAnEmptyReport() {
    check(
        new RunCommand.Report("attempt-1", List.of()),
        """
        absent: NO_RUN
        created, retrying, cancelling-idle: FENCED
        claimed, running, exited, cancelling-claimed, cancelling-running, cancelling-exited: STAY
        succeeded, failed, cancelling-succeeded, cancelling-failed: FENCED
        Completed, Failed, Cancelled: CLOSED
        asked, answered: STAY
        asked-failed, paused, decided, resuming: FENCED
        """);
  }

  @Test
  void cancelsOnce() {
    check(
        new RunCommand.Cancel("changed my mind"),
        """
        absent: NO_RUN
        created, retrying, claimed, running, exited, succeeded, failed: task.cancel_requested
        cancelling-idle, cancelling-claimed, cancelling-running, cancelling-exited: STAY
        cancelling-succeeded, cancelling-failed: STAY
        Completed, Failed, Cancelled: CLOSED
        asked, answered, asked-failed, paused, decided, resuming: task.cancel_requested
        """);
  }

  private void check(RunCommand command, String table) {
    new StateTable(table).check(states, state -> outcome(state, command));
  }

  static String outcome(RunState state, RunCommand command) {
    return switch (RunRules.decide(state, command)) {
      case Decision.Append append ->
          append.events().stream().map(EventTypes::nameOf).collect(Collectors.joining(" "));
      case Decision.Stay _ -> "STAY";
      case Decision.Defer _ -> "DEFER";
      case Decision.Refuse refuse -> refuse.reason().name();
    };
  }

  private static Stream<Class<?>> leaves(Class<?> type) {
    return type.isSealed()
        ? Arrays.stream(type.getPermittedSubclasses()).flatMap(RunRulesTest::leaves)
        : Stream.of(type);
  }
}
