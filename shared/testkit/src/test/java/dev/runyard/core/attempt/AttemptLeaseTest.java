package dev.runyard.core.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.limits.Limits;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.queue.Ticket;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.run.RunState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Leases, signs of life, and runners that lose them.
final class AttemptLeaseTest {
  private static final Duration LEASE = AttemptBench.LEASE;
  private static final Duration THIRD = LEASE.dividedBy(3);
  private static final Duration LEASE_OVER = LEASE.plusSeconds(1);
  private static final int STARTED = 6;
  private static final RetryPolicy RETRIES_LOST =
      new RetryPolicy(3, List.of(Failure.RUNNER_LOST), 0);

  private AttemptBench bench = new AttemptBench();

  @Test
  void extendsItsLeaseEveryThirdOfIt() {
    AttemptBench.Try attempt = bench.running("attempt-1");

    attempt.during(LEASE.multipliedBy(4));

    List<Instant> extensions = bench.queue.extensions();
    assertEquals(12, extensions.size(), 1);
    for (int i = 1; i < extensions.size(); i++) {
      Duration between = Duration.between(extensions.get(i - 1), extensions.get(i));
      assertEquals(0, between.compareTo(THIRD), between.toString());
    }
    assertTrue(bench.queue.receive(1, 0).isEmpty());
  }

  @Test
  void extendsItsLeaseWhileTheLogIsDown() {
    AttemptBench.Try attempt = bench.running("attempt-1");
    bench.log.down(true);

    attempt.during(LEASE.plus(THIRD));

    assertTrue(bench.queue.receive(1, 0).isEmpty());
    assertEquals(0, attempt.agent.stops());
  }

  @Test
  void triesSoonAgainToExtendItsLease() {
    AttemptBench.Try attempt = bench.running("attempt-1");
    attempt.during(THIRD.minusSeconds(1));
    bench.queue.down(true);
    attempt.during(Duration.ofSeconds(5));
    bench.queue.down(false);

    attempt.during(AttemptBench.TAIL_MAX.multipliedBy(2));

    assertEquals(1, bench.queue.extensions().size());
  }

  @Test
  void showsThatItIsAliveWhileItsAgentIsQuiet() {
    AttemptBench.Try attempt = bench.running("attempt-1");

    attempt.during(Duration.ofSeconds(4L * Limits.HEARTBEAT_SECONDS + 1));

    assertEquals(
        List.of("run.status", "run.status", "run.status", "run.status"), bench.types(STARTED));
  }

  @Test
  void showsNoSignsOfLifeWhileOutputDoes() {
    AttemptBench.Try attempt = bench.running("attempt-1");
    for (int i = 0; i < 60; i++) {
      attempt.agent.say("x");
      attempt.during(Duration.ofSeconds(1));
    }

    assertFalse(bench.types(STARTED).contains("run.status"));
  }

  @Test
  void waitsForTheFlushWindowEvenWhenASignOfLifeIsDue() {
    AttemptBench.Try attempt = bench.running("attempt-1");
    attempt.during(Duration.ofSeconds(Limits.HEARTBEAT_SECONDS).minusMillis(10));
    attempt.agent.say("x");

    List<Instant> steps = attempt.during(Duration.ofMillis(90));

    assertTrue(steps.size() <= 5, "steps: " + steps.size());
  }

  @Test
  void givesUpWhenNeitherLogNorQueueAnswersForALease() {
    AttemptBench.Try attempt = bench.running("attempt-1");
    attempt.during(Duration.ofSeconds(20));
    int before = bench.types(0).size();
    bench.log.down(true);
    bench.queue.down(true);

    attempt.during(LEASE.minusSeconds(2));
    assertEquals(0, attempt.agent.stops());
    attempt.during(Duration.ofSeconds(3));
    assertEquals(1, attempt.agent.stops());
    attempt.agent.say("too late");
    attempt.agent.die();

    assertEquals(Step.Verdict.CUT_OFF, attempt.finish());
    assertEquals(before, bench.types(0).size());
    assertEquals(1, bench.queue.runs().size());
  }

  @Test
  void givesUpBeforeItsSilenceIsTakenForDeath() {
    AttemptBench.Try attempt = bench.running("attempt-1");
    attempt.during(Duration.ofSeconds(20));
    bench.log.down(true);

    attempt.during(LEASE.multipliedBy(3));
    assertEquals(0, attempt.agent.stops());
    attempt.during(Duration.ofSeconds(Limits.CUT_OFF_SECONDS).minus(LEASE.multipliedBy(3)));
    assertEquals(1, attempt.agent.stops());
    attempt.agent.die();

    assertEquals(Step.Verdict.CUT_OFF, attempt.finish());
  }

  @Test
  void goesOnAfterAnOutageShorterThanALease() {
    AttemptBench.Try attempt = bench.running("attempt-1");
    bench.log.down(true);
    bench.queue.down(true);
    attempt.during(LEASE.minusSeconds(2));
    bench.log.down(false);
    bench.queue.down(false);
    attempt.agent.succeed();

    assertEquals(Step.Verdict.ENDED, attempt.finish());
  }

  @Test
  void givesUpAClaimThatNobodyAnswers() {
    AttemptBench.Try attempt = bench.take("attempt-1");
    bench.log.down(true);

    assertEquals(Step.Verdict.CUT_OFF, attempt.finish());

    assertTrue(attempt.agent.launches().isEmpty());
    assertEquals(AttemptBench.START.plus(LEASE), bench.clock.instant());
  }

  @Test
  void leavesARunToTheAttemptThatIsAlive() {
    AttemptBench.Try alive = loseLease();

    AttemptBench.Try other = bench.take("attempt-2");
    assertEquals(Step.Verdict.DEFERRED, other.finish());
    assertEquals(1, bench.queue.runs().size());
    alive.during(Duration.ofSeconds(Limits.ALIVE_SECONDS - 1));
    assertTrue(bench.queue.receive(1, 0).isEmpty());
    alive.during(Duration.ofSeconds(1));
    assertEquals(Step.Verdict.NOT_NEEDED, bench.take("attempt-3").finish());

    assertEquals(List.of(), bench.queue.runs());
    alive.agent.succeed();
    assertEquals(Step.Verdict.ENDED, alive.finish());
    assertInstanceOf(RunState.Completed.class, bench.advance());
  }

  @Test
  void spendsNoReceivesOnAnAttemptThatIsAlive() {
    AttemptBench.Try alive = loseLease();
    Ticket message = bench.queue.receive(1, 0).getFirst();
    assertEquals(2, message.receiveCount());

    bench.tryWith(message, "attempt-2").finish();
    alive.during(Duration.ofSeconds(Limits.ALIVE_SECONDS));

    Ticket copy = bench.queue.receive(1, 0).getFirst();
    assertEquals(1, copy.receiveCount());
    assertEquals(message.messageId(), copy.id());
  }

  @Test
  void keepsTheMessageUntilItsCopyIsSent() {
    bench.running("attempt-1");
    bench.pass(LEASE_OVER);
    AttemptBench.Try other = bench.take("attempt-2");
    bench.queue.down(true);
    other.during(Duration.ofSeconds(5));
    assertEquals(1, bench.queue.runs().size());
    bench.queue.down(false);

    assertEquals(Step.Verdict.DEFERRED, other.finish());
    assertEquals(1, bench.queue.runs().size());
  }

  @Test
  void looksAtTheLogWhenItsLeaseIsLost() {
    AttemptBench.Try attempt = bench.running("attempt-1");
    attempt.during(LEASE.dividedBy(3).minusMillis(1));
    bench.queue.delete(bench.queue.last());
    bench.cancel();

    attempt.during(Duration.ofMillis(2));

    assertEquals(1, attempt.agent.stops());
    attempt.during(LEASE);
    assertEquals(1, bench.queue.extensions().size());
  }

  @Test
  void showsThatItIsAliveWhileItsLooksFail() {
    AttemptBench.Try attempt = bench.running("attempt-1");
    bench.log.readsDown(true);

    attempt.during(Duration.ofSeconds(2L * Limits.CUT_OFF_SECONDS));

    assertEquals(0, attempt.agent.stops());
    assertTrue(bench.types(STARTED).size() >= 19, () -> bench.types(STARTED).toString());
  }

  @Test
  void startsAnewWhereTheLostAttemptHadStartedNothing() {
    bench.take("attempt-1").step();
    AttemptBench.Try second = bench.startedAgain("attempt-2");
    second.agent.succeed();

    assertEquals(Step.Verdict.ENDED, second.finish());

    assertEquals(
        List.of(
            "task.attempt.started",
            "task.attempt.failed",
            "task.retrying",
            "task.queued",
            "task.attempt.started",
            "turn.started",
            "process.started",
            "process.completed",
            "task.attempt.completed"),
        bench.types(3));
    assertInstanceOf(RunState.Completed.class, bench.advance());
  }

  @Test
  void losesARunWhoseAgentWasRunning() {
    bench.running("attempt-1");

    AttemptBench.Try ends = bench.takenOver();

    assertTrue(ends.agent.launches().isEmpty());
    assertEquals(List.of("attempt-1"), ends.agent.lost());
    assertEquals(List.of("task.attempt.failed"), bench.types(STARTED));
    RunState.Failed lost = assertInstanceOf(RunState.Failed.class, bench.advance());
    assertEquals("lost", lost.phase());
    assertEquals(Failure.RUNNER_LOST, lost.error().code());
    assertEquals(List.of(), bench.queue.runs());
  }

  @Test
  void startsALostAgentAgainAsOftenAsThePolicySays() {
    RetryPolicy policy = new RetryPolicy(10, List.of(Failure.RUNNER_LOST), 60);
    bench = new AttemptBench(policy, Limits.RUN_SECONDS_MAX);
    bench.running("attempt-1");
    for (int n = 2; n <= 10; n++) {
      bench.takenOver();
      bench.advance();
      assertTrue(bench.queue.receive(1, 0).isEmpty(), "backoff_seconds");
      bench.pass(Duration.ofSeconds(policy.delaySeconds(n - 1)));
      bench.running("attempt-" + n);
    }
    bench.takenOver();

    assertEquals(10, assertInstanceOf(RunState.Failed.class, bench.advance()).facts().attempts());
  }

  @Test
  void writesNothingMoreAfterAnotherAttemptTookTheRun() {
    bench = new AttemptBench(RETRIES_LOST);
    AttemptBench.Try zombie = bench.running("attempt-1");
    zombie.agent.say("before");
    zombie.during(Duration.ofSeconds(1));
    AttemptBench.Try second = bench.startedAgain("attempt-2");
    zombie.agent.say("after");
    int before = bench.types(0).size();

    zombie.during(Duration.ofSeconds(1));
    assertEquals(1, zombie.agent.stops());
    zombie.agent.say("last words");
    zombie.agent.die();

    assertEquals(Step.Verdict.FENCED, zombie.finish());
    assertEquals(before, bench.types(0).size());
    assertEquals(1, bench.queue.runs().size());
    second.agent.succeed();
    assertEquals(Step.Verdict.ENDED, second.finish());
  }

  @Test
  void givesAnAgentUpThatCannotBeEnded() {
    bench = new AttemptBench(RETRIES_LOST);
    AttemptBench.Try zombie = bench.running("attempt-1");
    bench.startedAgain("attempt-2");
    zombie.during(Duration.ofSeconds(1));

    zombie.during(Duration.ofSeconds(Limits.LEAVE_SECONDS_MAX).minusSeconds(2));
    assertInstanceOf(Step.Again.class, zombie.step());

    assertEquals(Step.Verdict.STUCK, zombie.finish());
  }

  @Test
  void noticesATakeoverWhileItIsQuiet() {
    bench = new AttemptBench(RETRIES_LOST);
    AttemptBench.Try zombie = bench.running("attempt-1");
    bench.startedAgain("attempt-2");

    zombie.during(AttemptBench.TAIL_MAX);

    assertEquals(1, zombie.agent.stops());
  }

  @Test
  void writesNoEndAfterAnotherAttemptTookTheRun() {
    bench = new AttemptBench(RETRIES_LOST);
    AttemptBench.Try zombie = bench.running("attempt-1");
    bench.startedAgain("attempt-2");
    zombie.agent.succeed();
    int before = bench.types(0).size();

    assertEquals(Step.Verdict.FENCED, zombie.finish());

    assertEquals(before, bench.types(0).size());
    assertEquals(1, bench.queue.runs().size());
    assertEquals(List.of(), zombie.agent.logAtKeep(), "what a zombie remembers");
  }

  @Test
  void startsNoAgentWhenItWasTakenOverSinceTheClaim() {
    AttemptBench.Try zombie = bench.take("attempt-1");
    zombie.step();
    AttemptBench.Try second = bench.startedAgain("attempt-2");

    assertEquals(Step.Verdict.FENCED, zombie.finish());

    assertTrue(zombie.agent.launches().isEmpty());
    assertEquals(1, second.agent.launches().size());
  }

  /// An attempt that lives, and whose message comes to others.
  private AttemptBench.Try loseLease() {
    AttemptBench.Try alive = bench.running("attempt-1");
    bench.queue.down(true);
    alive.during(LEASE_OVER);
    bench.queue.down(false);
    return alive;
  }
}
