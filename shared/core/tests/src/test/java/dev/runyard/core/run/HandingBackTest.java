package dev.runyard.core.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.request.RetryPolicy;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/// Attempts that ended with their runner before their agent was started.
class HandingBackTest {
  private static final RunCommand ADVANCE = new RunCommand.Advance(SampleStates.CLAIMED);
  private static final Failure STOPPED =
      new Failure(Failure.RUNNER_STOPPED, Category.CAPACITY, "stopped");
  private static final RunEvent ASIDE = new RunEvent.TaskUpdated("paused");
  private final SampleStates states = new SampleStates(RetryPolicy.NEVER);

  @Test
  void queuesARunAgainAtOnceThatWasHandedBack() {
    RunState back = ended(states.claimed(), STOPPED);

    assertEquals(queued(2, Failure.RUNNER_STOPPED), RunRules.decide(back, ADVANCE));
    assertEquals(0, ((RunState.Existing) back).facts().tries());
  }

  @Test
  void queuesARunAgainWhoseRunnerWasLostBeforeTheStart() {
    RunState lost = ended(states.claimed(), lost(states.claimed()));

    assertEquals(queued(2, Failure.RUNNER_LOST), RunRules.decide(lost, ADVANCE));
    assertEquals(1, ((RunState.Existing) lost).facts().tries());
  }

  @Test
  void asksThePolicyOnceTheAgentWasStarted() {
    for (Failure why : List.of(STOPPED, lost(states.running()))) {
      RunState exited =
          SampleStates.then(
              states.running(), new RunEvent.ProcessCompleted("process-1", null, 15, 10));
      RunState ended = ended(exited, why);

      RunEvent first =
          assertInstanceOf(Decision.Append.class, RunRules.decide(ended, ADVANCE))
              .events()
              .getFirst();
      assertInstanceOf(RunEvent.TurnFailed.class, first);
    }
  }

  @Test
  void queuesARunAgainWhoseRunnerStoppedBehindTheStartWithoutAnAgent() {
    RunState back = ended(states.running(), STOPPED);

    assertEquals(queued(2, Failure.RUNNER_STOPPED), RunRules.decide(back, ADVANCE));
    assertEquals(0, ((RunState.Existing) back).facts().tries());
  }

  @Test
  void asksThePolicyBehindTheStartWhereTheRunnerIsLost() {
    assertEquals(
        "turn.failed task.lost",
        RunRulesTest.outcome(ended(states.running(), lost(states.running())), ADVANCE));
  }

  @Test
  void asksThePolicyWhereTheFailureIsNotTheRunners() {
    RunState ended = ended(states.claimed(), SampleStates.FAILURE);

    assertEquals("turn.failed task.failed", RunRulesTest.outcome(ended, ADVANCE));
  }

  @Test
  void startsNoAgentOfARunWhoseTimeIsOver() {
    Instant over = SampleStates.CLAIMED.plusSeconds(Limits.RUN_SECONDS_MAX);
    RunState again = SampleStates.then(SampleStates.failed(states.exited()), queuedAgain());
    RunState back =
        SampleStates.then(claimedAt(again, SampleStates.CLAIMED.plusSeconds(60)), handedBack(2));

    assertEquals(
        "turn.failed task.failed", RunRulesTest.outcome(back, new RunCommand.Advance(over)));
  }

  @Test
  void beginsTheTimeOfARunWithTheAttemptThatStartsItsAgent() {
    for (Failure why : List.of(STOPPED, lost(states.claimed()))) {
      RunState back = ended(states.claimed(), why);
      RunState queued = SampleStates.then(back, queuedAgain());
      Instant late = SampleStates.CLAIMED.plusSeconds(Limits.RUN_SECONDS_MAX - 1);

      assertEquals(
          "task.retrying task.queued", RunRulesTest.outcome(back, new RunCommand.Advance(late)));
      assertEquals("task.queued", RunRulesTest.outcome(queued, new RunCommand.Advance(late)));
      assertNull(((RunState.Existing) queued).facts().deadline());
      assertEquals(
          late, ((RunState.Existing) claimedAt(queued, late)).facts().startedAt(), why.code());
    }
  }

  @Test
  void goesOnCountingTheTimeOfARunWhoseAgentHadBegun() {
    RunState again = SampleStates.then(SampleStates.failed(states.exited()), queuedAgain());
    RunState back =
        SampleStates.then(claimedAt(again, SampleStates.CLAIMED.plusSeconds(60)), handedBack(2));

    assertEquals(SampleStates.CLAIMED, ((RunState.Existing) back).facts().startedAt());
  }

  @Test
  void givesARunUpThatRunnersHandBackAgainAndAgain() {
    RunState state = states.created();
    for (int n = 1; n < Limits.ATTEMPTS_HANDED_BACK_MAX; n++) {
      state = SampleStates.then(claimed(state, n, false), handedBack(n));
      assertEquals("task.retrying task.queued", RunRulesTest.outcome(state, ADVANCE));
      state = SampleStates.then(state, new RunEvent.TaskQueued(n + 1, 0, 0));
    }
    int last = Limits.ATTEMPTS_HANDED_BACK_MAX;
    state = SampleStates.then(claimed(state, last, false), handedBack(last));

    assertEquals("turn.failed task.failed", RunRulesTest.outcome(state, ADVANCE));
  }

  private static RunEvent queuedAgain() {
    return new RunEvent.TaskQueued(2, 0, 0);
  }

  private static RunEvent handedBack(int number) {
    return new RunEvent.AttemptFailed(number, "attempt-" + number, STOPPED);
  }

  private static RunState claimedAt(RunState state, Instant at) {
    return SampleStates.fold(
        state, at, new RunEvent.AttemptStarted(2, "attempt-2", "runner-1", "message-2", false));
  }

  @Test
  void losesARunInTheEndWhoseRunnersAreLostAgainAndAgain() {
    RunState state = states.created();
    for (int n = 1; n <= RetryPolicy.ATTEMPTS_MAX; n++) {
      state = claimed(state, n, false);
      state = SampleStates.then(state, new RunEvent.AttemptFailed(n, "attempt-" + n, lost(state)));
      String after =
          n < RetryPolicy.ATTEMPTS_MAX ? "task.retrying task.queued" : "turn.failed task.lost";
      assertEquals(after, RunRulesTest.outcome(state, ADVANCE), "attempt " + n);
      if (n < RetryPolicy.ATTEMPTS_MAX) {
        state = SampleStates.then(state, new RunEvent.TaskQueued(n + 1, 0, 0));
      }
    }
  }

  @Test
  void continuesARunWhoseContinuationWasHandedBack() {
    RunState paused = SampleStates.answered(states.paused());
    RunState going = claimed(SampleStates.then(paused, new RunEvent.TaskQueued(2, 0, 0)), 2, true);
    RunState back = SampleStates.then(going, new RunEvent.AttemptFailed(2, "attempt-2", STOPPED));
    RunState queued = SampleStates.then(back, new RunEvent.TaskQueued(3, 0, 0));

    RunEvent next =
        assertInstanceOf(
                Decision.Append.class,
                RunRules.decide(
                    queued,
                    new RunCommand.Claim(
                        "attempt-3", "runner-3", "message-3", SampleStates.CLAIMED)))
            .events()
            .getFirst();

    assertEquals(new RunEvent.AttemptStarted(3, "attempt-3", "runner-3", "message-3", true), next);
    assertEquals(1, ((RunState.Existing) back).facts().tries());
  }

  @Test
  void theTimeUntilARunnerHasAContinuationCountsOnce() {
    RunState second = continuation(queuedBehindADecision(), 2, 30);
    RunState back = SampleStates.then(second, handedBack(2));
    RunState third = continuation(SampleStates.then(back, new RunEvent.TaskQueued(3, 0, 0)), 3, 50);

    assertEquals(30_000, waitedMillis(second));
    assertEquals(50_000, waitedMillis(third));
  }

  @Test
  void aPauseBeforeARunnerContinuesTakesNoneOfThatTimeAway() {
    RunState resumed = aside(queuedBehindADecision(), 20, 40);
    RunState third =
        continuation(SampleStates.then(resumed, new RunEvent.TaskQueued(2, 0, 0)), 2, 50);

    assertEquals(40_000, waitedMillis(resumed));
    assertEquals(50_000, waitedMillis(third));
  }

  @Test
  void aPauseOfAContinuationThatIsHandedBackTakesNoneOfThatTimeAway() {
    RunState paused = at(continuation(queuedBehindADecision(), 2, 10), 20, ASIDE);
    RunState back =
        at(paused, 30, handedBack(2), new RunEvent.TaskRetrying(3, Failure.RUNNER_STOPPED));

    assertEquals(60_000, waitedMillis(at(back, 60, new RunEvent.TaskUpdated(null))));
  }

  /// It was decided at once what a run waited for that is to be continued.
  private RunState queuedBehindADecision() {
    return SampleStates.then(
        SampleStates.answered(states.paused()), new RunEvent.TaskQueued(2, 0, 0));
  }

  private static RunState aside(RunState state, int fromSeconds, int toSeconds) {
    return at(at(state, fromSeconds, ASIDE), toSeconds, new RunEvent.TaskUpdated(null));
  }

  private static RunState continuation(RunState state, int number, int afterSeconds) {
    return at(
        state,
        afterSeconds,
        new RunEvent.AttemptStarted(
            number, "attempt-" + number, "runner-1", "message-" + number, true));
  }

  private static RunState at(RunState state, int afterSeconds, RunEvent... events) {
    return SampleStates.fold(state, SampleStates.CLAIMED.plusSeconds(afterSeconds), events);
  }

  private static long waitedMillis(RunState state) {
    return ((RunState.Existing) state).facts().interactions().waitedMillis();
  }

  @Test
  void pausesAnAttemptLostBeforeItsStartOnlyWhereItWasToContinueAnother() {
    RunState queued = SampleStates.then(states.asked(), new RunEvent.TaskQueued(2, 0, 0));

    assertEquals("task.attempt.failed", takenOver(claimed(queued, 2, false)));
    assertEquals("task.paused", takenOver(claimed(queued, 2, true)));
  }

  private static String takenOver(RunState state) {
    return RunRulesTest.outcome(
        state,
        new RunCommand.Claim(
            "attempt-x",
            "runner-x",
            "message-2",
            OptionalLong.of(SampleStates.CLAIMED.toEpochMilli()),
            SampleStates.CLAIMED));
  }

  private static Decision queued(int attempt, String reason) {
    return Decision.append(
        new RunEvent.TaskRetrying(attempt, reason), new RunEvent.TaskQueued(attempt, 0, 0));
  }

  private static RunState claimed(RunState state, int number, boolean continuation) {
    return SampleStates.then(
        state,
        new RunEvent.AttemptStarted(
            number, "attempt-" + number, "runner-1", "message-" + number, continuation));
  }

  /// The failure recorded by the attempt that takes over.
  private static Failure lost(RunState state) {
    RunState.InProgress run = assertInstanceOf(RunState.InProgress.class, state);
    RunCommand claim =
        new RunCommand.Claim(
            "attempt-x",
            "runner-x",
            run.attempt().ticket(),
            OptionalLong.of(SampleStates.CLAIMED.toEpochMilli()),
            SampleStates.CLAIMED);
    Decision.Append append = assertInstanceOf(Decision.Append.class, RunRules.decide(state, claim));
    return assertInstanceOf(RunEvent.AttemptFailed.class, append.events().getFirst()).error();
  }

  private static RunState ended(RunState state, Failure why) {
    return SampleStates.then(state, new RunEvent.AttemptFailed(1, "attempt-1", why));
  }
}
