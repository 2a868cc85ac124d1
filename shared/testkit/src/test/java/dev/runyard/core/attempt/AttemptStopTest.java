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
  private static final Duration TIMEOUT = Duration.ofSeconds(AttemptBench.TIMEOUT_SECONDS);
  private static final List<String> ENDED_BY_ITS_RUNNER =
      List.of("process.terminated", "process.completed", "task.attempt.failed");

  private final AttemptBench bench = new AttemptBench();

  @Test
  void findsACancelByLookingAtTheTail() {
    AttemptBench.Try attempt = bench.running("attempt-1");
    attempt.during(Duration.ofSeconds(10));
    bench.cancel();

    attempt.during(AttemptBench.TAIL_MAX.plusMillis(1));

    assertEquals(1, attempt.agent.stops());
    attempt.during(Duration.ofSeconds(3));
    assertEquals(1, attempt.agent.stops());
    attempt.agent.die();
    assertEquals(Step.Verdict.ENDED, attempt.finish());
    assertEquals("task.cancel_requested", bench.types(STARTED).getFirst());
    assertEquals(ENDED_BY_ITS_RUNNER, bench.types(STARTED + 1));
    assertEquals(Failure.CANCELLED, failure());
    assertInstanceOf(RunState.Cancelled.class, bench.advance());
  }

  @Test
  void findsACancelByCollision() {
    AttemptBench.Try attempt = bench.running("attempt-1");
    attempt.during(Duration.ofSeconds(10));
    attempt.agent.say("a");
    attempt.step();
    bench.pass(AttemptBench.FLUSH);
    bench.cancel();

    attempt.step();

    assertEquals(List.of("task.cancel_requested", "model.delta"), bench.types(STARTED));
    assertEquals(1, attempt.agent.stops());
  }

  @Test
  void looksSoonAfterItStartedAndLessOftenWhileItIsQuiet() {
    AttemptBench.Try attempt = bench.running("attempt-1");
    int before = bench.log.calls();

    attempt.during(Duration.ofSeconds(10));

    int looks = bench.log.calls() - before;
    assertTrue(looks >= 10 && looks <= 13, "looks: " + looks);
  }

  @Test
  void startsNoAgentForARunCancelledSinceTheClaim() {
    AttemptBench.Try attempt = bench.take("attempt-1");
    attempt.step();
    bench.cancel();

    assertEquals(Step.Verdict.ENDED, attempt.finish());

    assertTrue(attempt.agent.launches().isEmpty());
    assertEquals(Failure.CANCELLED, failure());
    assertInstanceOf(RunState.Cancelled.class, bench.advance());
    assertEquals(List.of(), bench.queue.runs());
  }

  @Test
  void keepsWhatTheAgentSaidWhileItWasEnded() {
    AttemptBench.Try attempt = bench.running("attempt-1");
    bench.cancel();
    attempt.during(Duration.ofSeconds(2));
    attempt.agent.say("last words");
    attempt.agent.succeed();

    attempt.finish();

    assertEquals("model.delta", bench.types(STARTED + 1).getFirst());
    assertEquals(ENDED_BY_ITS_RUNNER, bench.types(STARTED + 2));
    assertInstanceOf(RunState.Cancelled.class, bench.advance());
  }

  @Test
  void endsAnAgentThatRanTooLong() {
    AttemptBench.Try attempt = bench.running("attempt-1");
    attempt.during(TIMEOUT.minusMillis(1));
    assertEquals(0, attempt.agent.stops());

    attempt.during(AttemptBench.TAIL_MAX.plusMillis(2));

    assertEquals(1, attempt.agent.stops());
    attempt.agent.die();
    attempt.finish();
    assertEquals(Failure.TIMED_OUT, failure());
    assertEquals("timed_out", assertInstanceOf(RunState.Failed.class, bench.advance()).phase());
  }

  @Test
  void endsAnAgentThatRanTooLongEvenWhileTheLogIsDown() {
    AttemptBench.Try attempt = bench.running("attempt-1");
    attempt.during(TIMEOUT.minusSeconds(5));
    bench.log.down(true);

    attempt.during(Duration.ofSeconds(10));

    assertEquals(1, attempt.agent.stops());
    attempt.agent.die();
    bench.log.down(false);
    assertEquals(Step.Verdict.ENDED, attempt.finish());
    assertEquals(Failure.TIMED_OUT, failure());
  }

  @Test
  void stopsForGoodWhenTheRunWasEndedByTheSweep() {
    AttemptBench.Try attempt = bench.running("attempt-1");
    bench.pass(TIMEOUT.plusSeconds(Limits.STOP_SECONDS));
    assertInstanceOf(RunState.Failed.class, bench.advance());
    int before = bench.types(0).size();
    attempt.agent.say("too late");

    attempt.during(Duration.ofSeconds(2));
    attempt.agent.die();

    assertEquals(Step.Verdict.FENCED, attempt.finish());
    assertEquals(1, attempt.agent.stops());
    assertEquals(before, bench.types(0).size());
  }

  @Test
  void endsItsAgentWhenItsRunnerStops() {
    AttemptBench.Try attempt = bench.running("attempt-1");
    attempt.agent.say("a");
    attempt.step();

    attempt.drain();
    attempt.step();

    assertEquals(1, attempt.agent.stops());
    attempt.agent.die();
    assertEquals(Step.Verdict.ENDED, attempt.finish());
    assertEquals("model.delta", bench.types(STARTED).getFirst());
    assertEquals(ENDED_BY_ITS_RUNNER, bench.types(STARTED + 1));
    assertEquals(Failure.RUNNER_STOPPED, failure());
    assertEquals(List.of(), bench.queue.runs());
  }

  @Test
  void endsItsAgentWhenItsRunnerStopsEvenWhileTheLogIsDown() {
    AttemptBench.Try attempt = bench.running("attempt-1");
    bench.log.down(true);
    attempt.during(Duration.ofSeconds(2));

    attempt.drain();
    attempt.during(Duration.ofSeconds(1));

    assertEquals(1, attempt.agent.stops());
  }

  @Test
  void givesTheMessageBackWhenItsRunnerStopsBeforeTheClaim() {
    AttemptBench.Try attempt = bench.take("attempt-1");
    attempt.drain();

    assertEquals(Step.Verdict.DEFERRED, attempt.finish());

    assertEquals(List.of(), bench.types(3));
    AttemptBench.Try next = bench.running("attempt-2");
    assertEquals(1, next.agent.launches().size());
  }

  @Test
  void goesOnLookingWhenTheClockIsSetBack() {
    AttemptBench.Try attempt = bench.running("attempt-1");
    attempt.during(Duration.ofSeconds(10));
    attempt.agent.say("a");
    attempt.step();
    bench.pass(Duration.ofHours(-1));

    attempt.during(Duration.ofSeconds(2));
    assertEquals(List.of("model.delta"), bench.types(STARTED));
    assertEquals(1, bench.queue.extensions().size());
    bench.cancel();
    attempt.during(AttemptBench.TAIL_MAX.plusMillis(1));

    assertEquals(1, attempt.agent.stops());
  }

  @Test
  void tellsTheFirstReasonWhenThereAreTwo() {
    AttemptBench.Try attempt = bench.running("attempt-1");
    attempt.drain();
    attempt.step();
    bench.cancel();
    attempt.during(Duration.ofSeconds(2));
    attempt.agent.die();

    attempt.finish();

    assertEquals(1, attempt.agent.stops());
    assertEquals(Failure.RUNNER_STOPPED, failure());
    assertInstanceOf(RunState.Cancelled.class, bench.advance());
  }

  private String failure() {
    return assertInstanceOf(RunEvent.AttemptFailed.class, bench.events().getLast()).error().code();
  }
}
