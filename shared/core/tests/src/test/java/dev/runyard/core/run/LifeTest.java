package dev.runyard.core.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.event.ActionRequired;
import dev.runyard.core.event.ActionType;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.TaskWaiting;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.request.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// A run waits for nothing any more a day before the log removes its first events.
class LifeTest {
  private static final Instant START = SampleStates.START;
  private static final int LIFE_SECONDS = 8 * 24 * 3600;
  private static final Instant END = START.plusSeconds(LIFE_SECONDS);
  private static final Duration INSTANT = Duration.ofMillis(1);
  private static final String OUTLIVED = "turn.failed task.timed_out";

  private final RunState created = created(RetryPolicy.NEVER);

  @Test
  void isOverADayBeforeTheFirstEventsGo() {
    assertEquals(START.plus(Duration.ofDays(8)), facts(created).lifeEndsAt());
    RunState kept = new SampleStates(RetryPolicy.NEVER).created();
    assertEquals(Instant.MAX, facts(kept).lifeEndsAt());
  }

  /// An attempt that has begun by then ends before they go, whatever the clocks say.
  @Test
  void leavesTimeForTheLongestAttempt() {
    assertTrue(
        Limits.LIFE_SPARE_SECONDS
            > Limits.RUN_SECONDS_MAX
                + Limits.STOP_SECONDS
                + Limits.CLOSE_SECONDS_MAX
                + Limits.CANCEL_SECONDS_MAX
                + 2 * Limits.CLOCK_SKEW_SECONDS_MAX);
  }

  @Test
  void endsARunWhoseTurnHasNotCome() {
    for (String behind : List.of("019c-first", RunState.Waiting.HELD)) {
      RunState waits = at(created, START, new RunEvent.TaskQueued(1, 0, 0, behind, null));
      Instant before = END.minusSeconds(1);
      waits = at(waits, before, new RunEvent.TaskQueued(1, 0, 300, behind, null));
      moves(waits, OUTLIVED);
    }
  }

  @Test
  void endsARunThatWaitsForARunner() {
    Instant late = END.minusSeconds(30);
    RunState waits = at(created, START, new RunEvent.TaskQueued(1, 0, 0, "019c-first", null));
    moves(at(waits, late, new RunEvent.TaskQueued(1, 0, 0)), OUTLIVED, late);
    RunState retried = at(failed(late), late, new RunEvent.TaskQueued(2, 0, 0));
    moves(retried, OUTLIVED, late);
    RunState again = at(paused(END), late, answer(), new RunEvent.TaskQueued(2, 0, 0));
    moves(again, OUTLIVED, late);
    assertEquals(
        OUTLIVED, RunRulesTest.outcome(again, new RunCommand.Undelivered(END)), "a dead letter");
  }

  @Test
  void endsARunThatNobodyLetsGoOn() {
    RunState aside = at(paused(END), START, answer(), new RunEvent.TaskUpdated("later"));
    moves(aside, OUTLIVED);
    RunState kept =
        SampleStates.then(
            SampleStates.answered(new SampleStates(RetryPolicy.NEVER).paused()),
            new RunEvent.TaskUpdated("later"));
    assertEquals(Optional.empty(), kept.dueAt());
  }

  @Test
  void endsARunThatMayGoOnTooLate() {
    RunState decided = at(paused(END), END.minus(INSTANT), answer());

    assertEquals("task.resumed task.queued", outcome(decided, END.minus(INSTANT)));
    assertEquals(OUTLIVED, outcome(decided, END));
  }

  /// Only a runner of an earlier release lets a person have longer.
  @Test
  void endsARunThatWaitsForAPersonForLonger() {
    moves(paused(END), "action.resolved " + OUTLIVED);
    moves(paused(END.plusSeconds(1)), "action.resolved " + OUTLIVED);
    RunState sooner = paused(END.minusSeconds(1));
    assertEquals(Optional.of(END.minusSeconds(1)), sooner.dueAt());
  }

  @Test
  void leavesAnAttemptThatHasBegunItsTime() {
    Instant begun = END.minusSeconds(1);
    RunState running = running(begun);

    assertEquals("STAY", outcome(running, begun.plusSeconds(500)));
    RunState failed = at(running, begun.plusSeconds(500), failure());
    assertEquals("turn.failed task.failed", outcome(failed, begun.plusSeconds(500)), "no retry");
  }

  @Test
  void leavesARunThatEndsEarlierAlone() {
    RunState failed = failed(START.plusSeconds(20));

    assertEquals("task.retrying task.queued", outcome(failed, START.plusSeconds(20)));
    assertEquals(Optional.of(START.plusSeconds(Limits.RESEND_SECONDS)), created.dueAt());
  }

  @Test
  void saysWhy() {
    RunState waits = at(created, END, new RunEvent.TaskQueued(1, 0, 0, "019c-first", null));
    Decision.Append end =
        assertInstanceOf(
            Decision.Append.class, RunRules.decide(waits, new RunCommand.Advance(END)));
    Failure why = assertInstanceOf(RunEvent.TaskTimedOut.class, end.events().getLast()).error();

    assertEquals(Failure.TIMED_OUT, why.code());
    assertTrue(why.message().contains("RetentionDays"), why.message());
  }

  /// Nothing happens before [#END], and then what is said.
  private static void moves(RunState state, String types) {
    assertEquals(Optional.of(END), state.dueAt());
    assertEquals("STAY", outcome(state, END.minus(INSTANT)));
    assertEquals(types, outcome(state, END));
  }

  /// The same for a run whose message was sent at `sent`, with less than a minute to go.
  private static void moves(RunState state, String types, Instant sent) {
    assertEquals("STAY", outcome(state, sent));
    moves(state, types);
  }

  private static RunState created(RetryPolicy retry) {
    Decision.Append submitted =
        assertInstanceOf(
            Decision.Append.class,
            RunDecider.rules(LIFE_SECONDS)
                .decide(RunState.absent(), new RunCommand.Submit(SampleStates.request(retry))));
    return at(RunState.absent(), START, submitted.events().toArray(RunEvent[]::new));
  }

  private static RunState running(Instant when) {
    return at(
        created(new RetryPolicy(3, List.of("*"), 0)),
        when,
        new RunEvent.AttemptStarted(1, "attempt-1", "runner-1", "message-1"),
        new RunEvent.ProcessStarted("process-1", "echo"));
  }

  private static RunState failed(Instant when) {
    return at(running(when), when, failure());
  }

  private static RunEvent failure() {
    return new RunEvent.AttemptFailed(1, "attempt-1", SampleStates.FAILURE);
  }

  private static RunState paused(Instant expires) {
    ActionType type = ActionType.QUESTION;
    return at(
        running(START),
        START,
        new ActionRequired(
            SampleStates.ACTION, type, "Which?", null, List.of(), 1800, expires, null),
        new TaskWaiting(SampleStates.ACTION, type.phase()),
        new RunEvent.TaskPaused(1, "attempt-1", "awaiting"));
  }

  private static RunEvent answer() {
    return new RunEvent.ActionResolved(
        SampleStates.ACTION, ActionDecision.ANSWER, null, "somebody");
  }

  private static RunFacts facts(RunState state) {
    return ((RunState.Existing) state).facts();
  }

  private static RunState at(RunState state, Instant when, RunEvent... events) {
    return SampleStates.fold(state, when, events);
  }

  private static String outcome(RunState state, Instant now) {
    return RunRulesTest.outcome(state, new RunCommand.Advance(now));
  }
}
