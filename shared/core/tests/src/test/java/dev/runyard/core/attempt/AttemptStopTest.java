package dev.runyard.core.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.RunState;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Why an attempt ends its agent, and what it writes then.
final class AttemptStopTest {
  private static final int STARTED = 6;
  private static final Duration TIMEOUT = Duration.ofSeconds(AttemptRig.TIMEOUT_SECONDS);
  private static final List<String> ENDED_BY_ITS_RUNNER =
      List.of("process.terminated", "process.completed", "task.attempt.failed");

  private final AttemptRig rig = new AttemptRig();

  @Test
  void findsACancelByReadingTheTail() {
    AttemptRig.Try attempt = rig.running("attempt-1");
    attempt.during(Duration.ofSeconds(10));
    rig.cancel();

    attempt.during(AttemptRig.LOOK.plusMillis(1));

    assertEquals(1, attempt.agent.stops());
    attempt.during(Duration.ofSeconds(3));
    assertEquals(1, attempt.agent.stops());
    attempt.agent.die();
    assertEquals(Step.Verdict.ENDED, attempt.finish());
    assertEquals("task.cancel_requested", rig.types(STARTED).getFirst());
    assertEquals(ENDED_BY_ITS_RUNNER, rig.types(STARTED + 1));
    assertEquals(Failure.CANCELLED, failure());
    assertInstanceOf(RunState.Cancelled.class, rig.advance());
  }

  @Test
  void readsACancelAtOnceThatItIsToldOf() {
    AttemptRig.Try attempt = rig.running("attempt-1");
    attempt.during(Duration.ofSeconds(10));
    attempt.appended(STARTED);
    attempt.step();
    rig.cancel();

    attempt.step();
    assertEquals(0, attempt.agent.stops(), "not yet time to look");
    attempt.appended(STARTED + 1);
    attempt.step();

    assertEquals(1, attempt.agent.stops());
  }

  @Test
  void findsACancelByCollision() {
    AttemptRig.Try attempt = rig.running("attempt-1");
    attempt.during(Duration.ofSeconds(10));
    attempt.agent.say("a");
    attempt.step();
    rig.pass(AttemptRig.FLUSH);
    rig.cancel();

    attempt.step();

    assertEquals(List.of("task.cancel_requested", "model.delta"), rig.types(STARTED));
    assertEquals(1, attempt.agent.stops());
  }

  @Test
  void readsNoLogWhileNobodyWakesItsRunner() {
    AttemptRig.Try attempt = rig.running("attempt-1");
    int before = rig.log.calls();

    attempt.during(Duration.ofSeconds(10));

    assertEquals(before, rig.log.calls());
  }

  @Test
  void findsACancelOfWhichItsRunnerIsNotToldByItsNextSignOfLife() {
    AttemptRig.Try attempt = rig.running("attempt-1");
    attempt.during(Duration.ofSeconds(2));
    rig.cancelUnheard();

    attempt.during(Duration.ofSeconds(Limits.HEARTBEAT_SECONDS - 3));
    assertEquals(0, attempt.agent.stops());
    attempt.during(Duration.ofSeconds(2));

    assertEquals(1, attempt.agent.stops());
  }

  @Test
  void startsNoAgentForARunCancelledSinceTheClaim() {
    AttemptRig.Try attempt = rig.take("attempt-1");
    attempt.step();
    rig.cancel();

    assertEquals(Step.Verdict.ENDED, attempt.finish());

    assertTrue(attempt.agent.launches().isEmpty());
    assertEquals(Failure.CANCELLED, failure());
    assertInstanceOf(RunState.Cancelled.class, rig.advance());
    assertEquals(List.of(), rig.queue.runs());
  }

  @Test
  void keepsWhatTheAgentSaidWhileItWasEnded() {
    AttemptRig.Try attempt = rig.running("attempt-1");
    rig.cancel();
    attempt.during(Duration.ofSeconds(2));
    attempt.agent.say("last words");
    attempt.agent.succeed();

    attempt.finish();

    assertEquals("model.delta", rig.types(STARTED + 1).getFirst());
    assertEquals(ENDED_BY_ITS_RUNNER, rig.types(STARTED + 2));
    assertInstanceOf(RunState.Cancelled.class, rig.advance());
  }

  @Test
  void endsAnAgentThatRanTooLong() {
    AttemptRig.Try attempt = rig.running("attempt-1");
    attempt.during(TIMEOUT.minusMillis(1));
    assertEquals(0, attempt.agent.stops());

    attempt.during(AttemptRig.LOOK.plusMillis(2));

    assertEquals(1, attempt.agent.stops());
    attempt.agent.die();
    attempt.finish();
    assertEquals(Failure.TIMED_OUT, failure());
    assertEquals("timed_out", assertInstanceOf(RunState.Failed.class, rig.advance()).phase());
  }

  @Test
  void endsAnAgentThatRanTooLongEvenWhileTheLogIsDown() {
    AttemptRig.Try attempt = rig.running("attempt-1");
    attempt.during(TIMEOUT.minusSeconds(5));
    rig.log.down(true);

    attempt.during(Duration.ofSeconds(10));

    assertEquals(1, attempt.agent.stops());
    attempt.agent.die();
    rig.log.down(false);
    assertEquals(Step.Verdict.ENDED, attempt.finish());
    assertEquals(Failure.TIMED_OUT, failure());
  }

  /// An agent that was done in time may leave more than is stored by then.
  @Test
  void isNotOutOfTimeWhileItStoresWhatItsAgentLeft() {
    AttemptRig.Try attempt = rig.running("attempt-1");
    attempt.agent.storeSlowly();
    attempt.during(TIMEOUT.minusSeconds(5));
    attempt.agent.succeed();

    for (int minute = 0; minute < Limits.CLOSE_SECONDS_MAX / 60; minute++) {
      attempt.during(Duration.ofMinutes(1));
      assertInstanceOf(RunState.InProgress.class, rig.advance());
    }
    attempt.agent.stored();

    assertEquals(Step.Verdict.ENDED, attempt.finish());
    assertInstanceOf(RunState.Completed.class, rig.advance());
  }

  @Test
  void isOutOfTimeIfItStoresForEver() {
    AttemptRig.Try attempt = rig.running("attempt-1");
    attempt.agent.storeSlowly();
    attempt.agent.succeed();
    attempt.during(
        TIMEOUT.plusSeconds(
            Limits.STOP_SECONDS + Limits.CLOCK_SKEW_SECONDS_MAX + Limits.CLOSE_SECONDS_MAX));

    assertInstanceOf(RunState.Failed.class, rig.advance());
    attempt.during(Duration.ofSeconds(20));
    attempt.agent.stored();

    assertEquals(Step.Verdict.FENCED, attempt.finish());
    assertEquals(List.of(), attempt.agent.logAtKeep());
  }

  @Test
  void stopsForGoodWhenTheRunWasEndedByTheSweep() {
    AttemptRig.Try attempt = rig.running("attempt-1");
    rig.pass(TIMEOUT.plusSeconds(Limits.STOP_SECONDS));
    assertInstanceOf(RunState.Failed.class, rig.advance());
    int before = rig.types(0).size();
    attempt.agent.say("too late");

    attempt.during(Duration.ofSeconds(2));
    attempt.agent.die();

    assertEquals(Step.Verdict.FENCED, attempt.finish());
    assertEquals(1, attempt.agent.stops());
    assertEquals(before, rig.types(0).size());
  }

  @Test
  void endsItsAgentWhenItsRunnerStops() {
    AttemptRig.Try attempt = rig.running("attempt-1");
    attempt.agent.say("a");
    attempt.step();

    attempt.drain();
    attempt.step();

    assertEquals(1, attempt.agent.stops());
    attempt.agent.die();
    assertEquals(Step.Verdict.ENDED, attempt.finish());
    assertEquals("model.delta", rig.types(STARTED).getFirst());
    assertEquals(ENDED_BY_ITS_RUNNER, rig.types(STARTED + 1));
    assertEquals(Failure.RUNNER_STOPPED, failure());
    assertEquals(List.of(), rig.queue.runs());
  }

  @Test
  void endsItsAgentWhenItsRunnerStopsEvenWhileTheLogIsDown() {
    AttemptRig.Try attempt = rig.running("attempt-1");
    rig.log.down(true);
    attempt.during(Duration.ofSeconds(2));

    attempt.drain();
    attempt.during(Duration.ofSeconds(1));

    assertEquals(1, attempt.agent.stops());
  }

  @Test
  void givesTheMessageBackWhenItsRunnerStopsBeforeTheClaim() {
    AttemptRig.Try attempt = rig.take("attempt-1");
    attempt.drain();

    assertEquals(Step.Verdict.DEFERRED, attempt.finish());

    assertEquals(List.of(), rig.types(3));
    AttemptRig.Try next = rig.running("attempt-2");
    assertEquals(1, next.agent.launches().size());
  }

  @Test
  void stopsBeforeTheClaimThoughItCannotGiveTheMessageBack() {
    AttemptRig.Try attempt = rig.take("attempt-1");
    rig.queue.down(true);
    attempt.drain();

    assertEquals(new Step.Over(Step.Verdict.DEFERRED), attempt.step());
    assertEquals(List.of(), rig.types(3));
  }

  @Test
  void keepsPollingWhenTheClockIsSetBack() {
    AttemptRig.Try attempt = rig.running("attempt-1");
    attempt.during(Duration.ofSeconds(10));
    attempt.agent.say("a");
    attempt.step();
    rig.pass(Duration.ofHours(-1));

    attempt.during(Duration.ofSeconds(2));
    assertEquals(List.of("model.delta"), rig.types(STARTED));
    assertEquals(1, rig.queue.extensions().size());
    rig.cancel();
    attempt.during(AttemptRig.LOOK.plusMillis(1));

    assertEquals(1, attempt.agent.stops());
  }

  @Test
  void reportsTheFirstReasonWhenThereAreTwo() {
    AttemptRig.Try attempt = rig.running("attempt-1");
    attempt.drain();
    attempt.step();
    rig.cancel();
    attempt.during(Duration.ofSeconds(2));
    attempt.agent.die();

    attempt.finish();

    assertEquals(1, attempt.agent.stops());
    assertEquals(Failure.RUNNER_STOPPED, failure());
    assertInstanceOf(RunState.Cancelled.class, rig.advance());
  }

  private String failure() {
    return assertInstanceOf(RunEvent.AttemptFailed.class, rig.events().getLast()).error().code();
  }
}
