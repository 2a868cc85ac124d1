package dev.runyard.core.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.runyard.core.event.ActionType;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.request.RunBounds;
import dev.runyard.core.run.RunState;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Agents that are to end and do not: neither do they hold up their runs.
final class StuckAgentTest {
  private static final Duration LEAVE = Duration.ofSeconds(Limits.LEAVE_SECONDS_MAX);
  private static final Duration CLOSE = Duration.ofSeconds(Limits.CLOSE_SECONDS_MAX);
  private static final Duration A_LOOK = AttemptRig.LOOK.plusMillis(20);

  private AttemptRig rig = new AttemptRig();

  @Test
  void isAbandonedWhenItsRunIsCancelled() {
    AttemptRig.Try attempt = rig.running("attempt-1");
    rig.cancel();
    attempt.during(A_LOOK);

    abandoned(attempt, LEAVE, Failure.CANCELLED);
    assertInstanceOf(RunState.Cancelled.class, rig.advance());
  }

  @Test
  void isAbandonedWhenItsTimeIsOver() {
    AttemptRig.Try attempt = rig.running("attempt-1");
    attempt.during(Duration.ofSeconds(AttemptRig.TIMEOUT_SECONDS + 1));

    abandoned(attempt, LEAVE, Failure.TIMED_OUT);
    assertEquals("timed_out", assertInstanceOf(RunState.Failed.class, rig.advance()).phase());
  }

  @Test
  void isAbandonedWhenItWasSilentForTooLong() {
    rig = new AttemptRig(Limits.RUN_SECONDS_MAX, new RunBounds(null, null, null, 20, null));
    AttemptRig.Try attempt = rig.running("attempt-1");
    attempt.during(Duration.ofSeconds(40));

    abandoned(attempt, LEAVE, Failure.IDLE_TIMEOUT);
  }

  @Test
  void isAbandonedWhenItsRunnerStops() {
    AttemptRig.Try attempt = rig.running("attempt-1");
    attempt.drain();
    attempt.during(A_LOOK);

    abandoned(attempt, LEAVE, Failure.RUNNER_STOPPED);
  }

  /// Its files are stored before it counts as ended, which takes longer. Nobody continues with
  /// them.
  @Test
  void isAbandonedWhenItIsPausedAndIsNotContinued() {
    AttemptRig.Try attempt = pausing();
    attempt.during(LEAVE.multipliedBy(2));

    abandoned(attempt, CLOSE, Failure.WORKSPACE_NOT_KEPT);
  }

  @Test
  void isWaitedForUntilThen() {
    AttemptRig.Try attempt = rig.running("attempt-1");
    rig.cancel();
    attempt.during(LEAVE);
    attempt.agent.die();

    assertEquals(Step.Verdict.ENDED, attempt.finish());
    assertEquals(
        List.of("process.terminated", "process.completed", "task.attempt.failed"),
        rig.types(rig.types(0).size() - 3));
  }

  /// It has ended, but what it said before is not taken from it while the log is away.
  @Test
  void isNotTakenForStuckWhileTheLogDoesNotAnswer() {
    AttemptRig.Try attempt = rig.running("attempt-1");
    rig.log.down(true);
    attempt.drain();
    attempt.agent.say(Collections.nCopies(2 * Backlog.EVENTS_MAX, "x").toArray(String[]::new));
    attempt.agent.die();
    attempt.during(LEAVE.plusSeconds(5));
    rig.log.down(false);

    assertEquals(Step.Verdict.ENDED, attempt.finish());
    assertEquals("process.completed", rig.types(rig.types(0).size() - 2).getFirst());
  }

  @Test
  void isAbandonedThoughTheClockIsSetBack() {
    AttemptRig.Try attempt = rig.running("attempt-1");
    rig.cancel();
    attempt.during(A_LOOK);
    rig.pass(Duration.ofHours(-1));

    abandoned(attempt, LEAVE, Failure.CANCELLED);
  }

  /// It may still work, and files of two are nobody's.
  @Test
  void isJoinedByNoOtherWhateverTheRetryPolicySays() {
    rig = new AttemptRig(new RetryPolicy(3, List.of("*"), 0));
    AttemptRig.Try attempt = rig.running("attempt-1");
    attempt.drain();
    attempt.during(A_LOOK);

    abandoned(attempt, LEAVE, Failure.RUNNER_STOPPED);
    assertInstanceOf(RunState.Failed.class, rig.advance());
  }

  @Test
  void isJoinedByNoOtherThoughOnlyAProcessOfItIsLeft() {
    rig = new AttemptRig(new RetryPolicy(3, List.of("*"), 0));
    AttemptRig.Try attempt = rig.running("attempt-1");
    attempt.agent.die(1);

    left(attempt, "agent_killed");
  }

  /// What it left may still change what was stored.
  @Test
  void isNotContinuedWhereAProcessOfAPausedOneIsLeft() {
    AttemptRig.Try attempt = pausing();
    attempt.agent.die(1);

    left(attempt, Failure.WORKSPACE_NOT_KEPT);
  }

  /// Nothing can be written of one whose run another attempt has.
  @Test
  void isAbandonedWhenAFunctionHasEndedItsRun() {
    AttemptRig.Try attempt = rig.running("attempt-1");
    rig.cancel();
    attempt.during(A_LOOK);
    Instant stopped = rig.clock.instant();
    rig.pass(LEAVE);
    assertInstanceOf(RunState.Cancelled.class, rig.advance());

    assertEquals(Step.Verdict.STUCK, attempt.finish());
    assertEquals(stopped.plus(LEAVE), rig.clock.instant());
  }

  private AttemptRig.Try pausing() {
    AttemptRig.Try attempt = rig.running("attempt-1");
    attempt.agent.ask(rig.question(1, ActionType.QUESTION, 0));
    attempt.during(Duration.ofSeconds(Limits.AWAIT_GRACE_SECONDS).plus(A_LOOK));
    assertEquals(1, attempt.agent.stops());
    return attempt;
  }

  private void left(AttemptRig.Try attempt, String code) {
    assertEquals(Step.Verdict.ENDED, attempt.finish());
    endedWithOneLeft(code);
    assertEquals(code, assertInstanceOf(RunState.Failed.class, rig.advance()).error().code());
  }

  private void abandoned(AttemptRig.Try attempt, Duration within, String code) {
    assertEquals(1, attempt.agent.stops());
    Instant latest = rig.clock.instant().plus(within);

    assertEquals(Step.Verdict.STUCK, attempt.finish());

    assertFalse(rig.clock.instant().isAfter(latest), "at " + rig.clock.instant());
    RunEvent process = endedWithOneLeft(code);
    assertEquals(code, assertInstanceOf(RunEvent.ProcessFailed.class, process).error().code());
    assertEquals(List.of(), rig.queue.runs());
  }

  /// The last three events of the attempt, of which it returns how the process ended.
  private RunEvent endedWithOneLeft(String code) {
    List<RunEvent> events = rig.events();
    List<RunEvent> end = events.subList(events.size() - 3, events.size());
    assertEquals(new RunEvent.ProcessTerminated("process-attempt-1", code, 1), end.getFirst());
    assertEquals(
        code, assertInstanceOf(RunEvent.AttemptFailed.class, end.getLast()).error().code());
    return end.get(1);
  }
}
