package dev.runyard.core.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.TaskBlocked;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.projection.SnapshotCodec;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.view.RunJson;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// What failing starts of runners lead to in every state.
class BlockingTest {
  private static final Instant CLAIMED = SampleStates.CLAIMED;
  private static final Failure NO_IMAGE =
      new Failure(Failure.RUNNER_START_FAILED, Category.CAPACITY, "Push an image.");
  private final SampleStates samples = new SampleStates(RetryPolicy.NEVER);
  private final Map<String, RunState> states = samples.all();

  @Test
  void recordsTheCauseInRunsThatWaitForARunner() {
    new StateTable(
            """
            absent: NO_RUN
            created, retrying, resuming: task.blocked
            claimed, running, exited, succeeded, failed: STAY
            asked, asked-failed, answered, paused, decided: STAY
            cancelling-idle, cancelling-claimed, cancelling-running: STAY
            cancelling-exited, cancelling-succeeded, cancelling-failed: STAY
            Completed, Failed, Cancelled: STAY
            """)
        .check(states, state -> RunRulesTest.outcome(state, block("no_image", CLAIMED, CLAIMED)));
  }

  @Test
  void recordsACauseOnceAndEachOtherAgain() {
    RunState told = told(samples.created(), "no_image");

    assertEquals("STAY", outcome(told, block("no_image", CLAIMED, CLAIMED.plusSeconds(60))));
    assertEquals("task.blocked", outcome(told, block("quota", CLAIMED, CLAIMED)));
    assertEquals(
        told.blocked().orElseThrow().since(),
        told(told, "quota").blocked().orElseThrow().since(),
        "since the first");
  }

  @Test
  void endsARunThatWasBlockedForLong() {
    RunState told = told(samples.created(), "no_image");
    Instant since = told.blocked().orElseThrow().since();
    Instant end = since.plusSeconds(Limits.BLOCKED_SECONDS_MAX);

    assertEquals("STAY", outcome(told, block("no_image", since, end.minusSeconds(1))));
    assertEquals("turn.failed task.failed", outcome(told, block("no_image", since, end)));
    assertEquals(
        "STAY", outcome(told, block("no_image", since.plusSeconds(1), end)), "a newer trouble");
    assertEquals(
        "turn.failed task.failed",
        outcome(told, block("no_image", since.minusSeconds(9_999), end)),
        "but its own time in full");
    Decision decision =
        RunRules.decide(told, new RunCommand.Block("no_image", NO_IMAGE, since, true, end));
    assertEquals(
        new RunEvent.TaskFailed(NO_IMAGE),
        assertInstanceOf(Decision.Append.class, decision).events().getLast());
  }

  @Test
  void endsARunWhoseCauseDiffersAtEachLook() {
    List<String> causes = List.of("throttled", "no_capacity", "quota");
    RunState run = samples.created();
    List<String> told = new ArrayList<>();
    Instant first = ((RunState.Existing) run).facts().at().plusSeconds(1);

    for (int minute = 0; minute < Limits.BLOCKED_SECONDS_MAX / 60; minute++) {
      Instant now = first.plusSeconds(60L * minute);
      Decision decision =
          RunRules.decide(run, block(causes.get(minute % causes.size()), CLAIMED, now));
      if (decision instanceof Decision.Append append) {
        TaskBlocked why = assertInstanceOf(TaskBlocked.class, append.events().getFirst());
        told.add(why.cause());
        run = SampleStates.then(run, why);
      }
    }

    assertEquals(causes, told, "each once");
    Instant end = run.blocked().orElseThrow().since().plusSeconds(Limits.BLOCKED_SECONDS_MAX);
    assertEquals("turn.failed task.failed", outcome(run, block("throttled", CLAIMED, end)));
    assertEquals("turn.failed task.failed", outcome(run, block("no_address", CLAIMED, end)));
  }

  @Test
  void endsARunSoonOnlyOnceAllStartsHaveBeenBrokenForThatLong() {
    RunState told = told(told(samples.created(), "throttled"), "no_image");
    Instant since = told.blocked().orElseThrow().since();
    Instant end = since.plusSeconds(Limits.BLOCKED_SECONDS_MAX);
    Instant broken = since.plusSeconds(300);
    Instant brokenEnd = broken.plusSeconds(Limits.BROKEN_SECONDS_MAX);

    assertEquals("STAY", outcome(told, block("no_image", since, brokenEnd)), "not all of them");
    assertEquals("STAY", outcome(told, broken(broken, brokenEnd.minusSeconds(1))));
    assertEquals("turn.failed task.failed", outcome(told, broken(broken, brokenEnd)));
    assertEquals(
        "turn.failed task.failed",
        outcome(told, broken(end.minusSeconds(1), end)),
        "it is blocked all the same");
    Instant ownEnd = since.plusSeconds(Limits.BROKEN_SECONDS_MAX);
    assertEquals("STAY", outcome(told, broken(CLAIMED, ownEnd.minusSeconds(1))), "its own time");
    assertEquals("turn.failed task.failed", outcome(told, broken(CLAIMED, ownEnd)));
  }

  @Test
  void knowsEachCauseThatItWasToldAlsoFromASnapshot() {
    RunState.Existing once = (RunState.Existing) told(samples.created(), "no_image");
    RunState.Existing thrice = (RunState.Existing) told(told(once, "quota"), "no_image");

    assertFalse(SnapshotCodec.encode(once).contains("earlier"), "as earlier releases wrote it");
    assertEquals(once.blocked(), SnapshotCodec.decode(SnapshotCodec.encode(once)).blocked());
    for (RunState.Existing run :
        List.of(thrice, SnapshotCodec.decode(SnapshotCodec.encode(thrice)))) {
      assertEquals(List.of("quota"), run.blocked().orElseThrow().earlier());
      assertEquals("STAY", outcome(run, block("quota", CLAIMED, CLAIMED)));
      assertEquals("STAY", outcome(run, block("no_image", CLAIMED, CLAIMED)));
      assertEquals("task.blocked", outcome(run, block("throttled", CLAIMED, CLAIMED)));
    }
  }

  private static RunCommand broken(Instant since, Instant now) {
    return new RunCommand.Block("no_image", NO_IMAGE, CLAIMED, true, since, now);
  }

  @Test
  void waitsOnWhileSomeRunnerWorks() {
    RunState told = told(samples.created(), "no_image");
    Instant muchLater = CLAIMED.plusSeconds(40_000);

    assertEquals(
        "STAY",
        outcome(told, new RunCommand.Block("no_image", NO_IMAGE, CLAIMED, false, muchLater)));
  }

  /// Nobody can tell whether it would have been reached in time but for that.
  @Test
  void isNamedInTheEndOfARunThatNoRunnerTookInTime() {
    RunState told = told(samples.created(), "no_image");
    Instant end = SampleStates.START.plusSeconds(Limits.QUEUED_SECONDS_MAX);

    Failure failure = last(told, end).error();

    assertEquals(Failure.NOT_STARTED, failure.code());
    assertEquals(
        "No runner took the run in time. While it waited: Push an image.", failure.message());
    assertEquals(
        "No runner took the run in time. Raise the number of runners, then submit again.",
        last(samples.created(), end).error().message());
  }

  private static RunEvent.TaskFailed last(RunState state, Instant now) {
    Decision decision = RunRules.decide(state, new RunCommand.Advance(now));
    return assertInstanceOf(
        RunEvent.TaskFailed.class,
        assertInstanceOf(Decision.Append.class, decision).events().getLast());
  }

  @Test
  void recordsNothingBeforeTheNextAttemptIsDue() {
    RunState pausing = SampleStates.then(samples.retrying(), new RunEvent.TaskQueued(2, 60, 1));

    assertEquals("STAY", outcome(pausing, block("no_image", CLAIMED, CLAIMED.plusSeconds(50))));
    assertEquals(
        "task.blocked", outcome(pausing, block("no_image", CLAIMED, CLAIMED.plusSeconds(99))));
  }

  @Test
  void isShownUntilARunnerComes() {
    RunState.Existing told = (RunState.Existing) told(samples.created(), "no_image");
    RunState.Existing again =
        (RunState.Existing) SampleStates.then(told, new RunEvent.TaskQueued(1, 0, 1));

    for (RunState.Existing run :
        List.of(told, again, SnapshotCodec.decode(SnapshotCodec.encode(again)))) {
      assertEquals("no_image", run.blocked().orElseThrow().cause());
      assertEquals("runner_start_failed", RunJson.of(run).path("blocked").path("code").textValue());
    }
    RunState.Existing claimed =
        (RunState.Existing)
            SampleStates.then(
                again, new RunEvent.AttemptStarted(1, "attempt-1", "runner-1", "message-1"));
    assertEquals("null", RunJson.of(claimed).get("blocked").toString());
  }

  private static RunState told(RunState state, String cause) {
    return SampleStates.then(state, new TaskBlocked(cause, NO_IMAGE));
  }

  private static RunCommand block(String cause, Instant since, Instant now) {
    return new RunCommand.Block(cause, NO_IMAGE, since, true, now);
  }

  private static String outcome(RunState state, RunCommand command) {
    return RunRulesTest.outcome(state, command);
  }
}
