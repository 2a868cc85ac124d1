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
  private static final Duration LEASE = AttemptRig.LEASE;
  private static final Duration HALF = LEASE.dividedBy(2);
  private static final Duration LEASE_OVER = LEASE.plusSeconds(1);
  private static final int STARTED = 6;
  private static final RetryPolicy RETRIES_LOST =
      new RetryPolicy(3, List.of(Failure.RUNNER_LOST), 0);

  private AttemptRig rig = new AttemptRig();

  @Test
  void extendsItsLeaseAfterHalfOfIt() {
    AttemptRig.Try attempt = rig.running("attempt-1");

    attempt.during(LEASE.multipliedBy(4));

    List<Instant> extensions = rig.queue.extensions();
    assertEquals(8, extensions.size(), 1);
    for (int i = 1; i < extensions.size(); i++) {
      Duration between = Duration.between(extensions.get(i - 1), extensions.get(i));
      assertEquals(0, between.compareTo(HALF), between.toString());
    }
    assertTrue(rig.queue.receive(1, 0).isEmpty());
  }

  @Test
  void extendsItsLeaseWhileTheLogIsDown() {
    AttemptRig.Try attempt = rig.running("attempt-1");
    rig.log.down(true);

    attempt.during(LEASE.plus(HALF));

    assertTrue(rig.queue.receive(1, 0).isEmpty());
    assertEquals(0, attempt.agent.stops());
  }

  @Test
  void triesSoonAgainToExtendItsLease() {
    AttemptRig.Try attempt = rig.running("attempt-1");
    attempt.during(HALF.minusSeconds(1));
    rig.queue.down(true);
    attempt.during(Duration.ofSeconds(5));
    rig.queue.down(false);

    attempt.during(AttemptRig.LOOK.multipliedBy(2));

    assertEquals(1, rig.queue.extensions().size());
  }

  @Test
  void triesSoonAgainHoweverLongTheQueueIsAway() {
    AttemptRig.Try attempt = rig.running("attempt-1");
    rig.queue.down(true);
    attempt.during(LEASE.multipliedBy(10));
    rig.queue.down(false);

    attempt.during(Duration.ofSeconds(Limits.HEARTBEAT_SECONDS));

    assertEquals(1, rig.queue.extensions().size());
    assertEquals(0, attempt.agent.stops());
  }

  @Test
  void showsThatItIsAliveWhileItsAgentIsQuiet() {
    AttemptRig.Try attempt = rig.running("attempt-1");

    attempt.during(Duration.ofSeconds(4L * Limits.HEARTBEAT_SECONDS + 1));

    assertEquals(
        List.of("run.status", "run.status", "run.status", "run.status"), rig.types(STARTED));
  }

  @Test
  void showsNoSignsOfLifeWhileOutputDoes() {
    AttemptRig.Try attempt = rig.running("attempt-1");
    for (int i = 0; i < 60; i++) {
      attempt.agent.say("x");
      attempt.during(Duration.ofSeconds(1));
    }

    assertFalse(rig.types(STARTED).contains("run.status"));
  }

  @Test
  void waitsForTheFlushWindowEvenWhenASignOfLifeIsDue() {
    AttemptRig.Try attempt = rig.running("attempt-1");
    attempt.during(Duration.ofSeconds(Limits.HEARTBEAT_SECONDS).minusMillis(10));
    attempt.agent.say("x");

    List<Instant> steps = attempt.during(Duration.ofMillis(90));

    assertTrue(steps.size() <= 5, "steps: " + steps.size());
  }

  @Test
  void givesUpWhenNeitherLogNorQueueAnswersForALease() {
    AttemptRig.Try attempt = rig.running("attempt-1");
    attempt.during(Duration.ofSeconds(20));
    int before = rig.types(0).size();
    rig.log.down(true);
    rig.queue.down(true);

    attempt.during(LEASE.minusSeconds(6));
    assertEquals(0, attempt.agent.stops());
    attempt.during(Duration.ofSeconds(2));
    assertEquals(1, attempt.agent.stops());
    attempt.agent.say("too late");
    attempt.agent.die();

    assertEquals(Step.Verdict.CUT_OFF, attempt.finish());
    assertEquals(before, rig.types(0).size());
    assertEquals(1, rig.queue.runs().size());
  }

  @Test
  void givesUpBeforeItsSilenceIsTakenForDeath() {
    AttemptRig.Try attempt = rig.running("attempt-1");
    attempt.during(Duration.ofSeconds(20));
    rig.log.down(true);

    attempt.during(LEASE.multipliedBy(3));
    assertEquals(0, attempt.agent.stops());
    attempt.during(Duration.ofSeconds(Limits.CUT_OFF_SECONDS).minus(LEASE.multipliedBy(3)));
    assertEquals(1, attempt.agent.stops());
    attempt.agent.die();

    assertEquals(Step.Verdict.CUT_OFF, attempt.finish());
  }

  @Test
  void continuesAfterAnOutageShorterThanALease() {
    AttemptRig.Try attempt = rig.running("attempt-1");
    rig.log.down(true);
    rig.queue.down(true);
    attempt.during(LEASE.minusSeconds(2));
    rig.log.down(false);
    rig.queue.down(false);
    attempt.agent.succeed();

    assertEquals(Step.Verdict.ENDED, attempt.finish());
  }

  @Test
  void givesUpAClaimThatNobodyAnswers() {
    AttemptRig.Try attempt = rig.take("attempt-1");
    rig.log.down(true);

    assertEquals(Step.Verdict.CUT_OFF, attempt.finish());

    assertTrue(attempt.agent.launches().isEmpty());
    assertEquals(AttemptRig.START.plus(LEASE), rig.clock.instant());
  }

  @Test
  void leavesARunToTheAttemptThatIsAlive() {
    AttemptRig.Try alive = loseLease();

    AttemptRig.Try other = rig.take("attempt-2");
    assertEquals(Step.Verdict.DEFERRED, other.finish());
    assertEquals(1, rig.queue.runs().size());
    alive.during(Duration.ofSeconds(Limits.ALIVE_SECONDS - 1));
    assertTrue(rig.queue.receive(1, 0).isEmpty());
    alive.during(Duration.ofSeconds(1));
    assertEquals(Step.Verdict.NOT_NEEDED, rig.take("attempt-3").finish());

    assertEquals(List.of(), rig.queue.runs());
    alive.agent.succeed();
    assertEquals(Step.Verdict.ENDED, alive.finish());
    assertInstanceOf(RunState.Completed.class, rig.advance());
  }

  @Test
  void spendsNoReceivesOnAnAttemptThatIsAlive() {
    AttemptRig.Try alive = loseLease();
    Ticket message = rig.queue.receive(1, 0).getFirst();
    assertEquals(2, message.receiveCount());

    rig.tryWith(message, "attempt-2").finish();
    alive.during(Duration.ofSeconds(Limits.ALIVE_SECONDS));

    Ticket copy = rig.queue.receive(1, 0).getFirst();
    assertEquals(1, copy.receiveCount());
    assertEquals(message.messageId(), copy.id());
  }

  @Test
  void keepsTheMessageUntilItsCopyIsSent() {
    rig.running("attempt-1");
    rig.pass(LEASE_OVER);
    AttemptRig.Try other = rig.take("attempt-2");
    rig.queue.down(true);
    other.during(Duration.ofSeconds(5));
    assertEquals(1, rig.queue.runs().size());
    rig.queue.down(false);

    assertEquals(Step.Verdict.DEFERRED, other.finish());
    assertEquals(1, rig.queue.runs().size());
  }

  @Test
  void looksAtTheLogWhenItsLeaseIsLost() {
    AttemptRig.Try attempt = rig.running("attempt-1");
    attempt.during(LEASE.dividedBy(2).minusMillis(1));
    rig.queue.delete(rig.queue.last());
    rig.cancel();

    attempt.during(Duration.ofMillis(2));

    assertEquals(1, attempt.agent.stops());
    attempt.during(LEASE);
    assertEquals(1, rig.queue.extensions().size());
  }

  @Test
  void showsThatItIsAliveWhileItsReadsFail() {
    AttemptRig.Try attempt = rig.running("attempt-1");
    rig.log.readsDown(true);

    attempt.during(Duration.ofSeconds(2L * Limits.CUT_OFF_SECONDS));

    assertEquals(0, attempt.agent.stops());
    assertTrue(rig.types(STARTED).size() >= 19, () -> rig.types(STARTED).toString());
  }

  @Test
  void startsAgainWhereTheLostAttemptHadStartedNothing() {
    rig.take("attempt-1").step();
    AttemptRig.Try second = rig.startedAgain("attempt-2");
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
        rig.types(3));
    assertInstanceOf(RunState.Completed.class, rig.advance());
  }

  @Test
  void losesARunWhoseAgentWasRunning() {
    rig.running("attempt-1");

    AttemptRig.Try ends = rig.takenOver();

    assertTrue(ends.agent.launches().isEmpty());
    assertEquals(List.of("attempt-1"), ends.agent.lost());
    assertEquals(List.of("task.attempt.failed"), rig.types(STARTED));
    RunState.Failed lost = assertInstanceOf(RunState.Failed.class, rig.advance());
    assertEquals("lost", lost.phase());
    assertEquals(Failure.RUNNER_LOST, lost.error().code());
    assertEquals(List.of(), rig.queue.runs());
  }

  @Test
  void endsWhatIsLeftOfALostAttemptThoughNobodyHeardThatItIsOver() {
    rig.running("attempt-1");
    rig.pass(LEASE.plusSeconds(1));
    assertEquals(Step.Verdict.DEFERRED, rig.take("attempt-sees").finish());
    rig.pass(Duration.ofSeconds(Limits.ALIVE_SECONDS));
    AttemptRig.Try ends = rig.take("attempt-ends");
    rig.log.loseReplies(1);

    assertEquals(Step.Verdict.NOT_NEEDED, ends.finish());

    assertEquals(List.of("task.attempt.failed"), rig.types(STARTED));
    assertEquals(List.of("attempt-1"), ends.agent.lost());
  }

  @Test
  void startsALostAgentAgainAsOftenAsThePolicySays() {
    RetryPolicy policy = new RetryPolicy(10, List.of(Failure.RUNNER_LOST), 60);
    rig = new AttemptRig(policy, Limits.RUN_SECONDS_MAX);
    rig.running("attempt-1");
    for (int n = 2; n <= 10; n++) {
      rig.takenOver();
      rig.advance();
      assertTrue(rig.queue.receive(1, 0).isEmpty(), "backoff_seconds");
      rig.pass(Duration.ofSeconds(policy.delaySeconds(n - 1)));
      rig.running("attempt-" + n);
    }
    rig.takenOver();

    assertEquals(10, assertInstanceOf(RunState.Failed.class, rig.advance()).facts().attempts());
  }

  @Test
  void writesNothingMoreAfterAnotherAttemptTookTheRun() {
    rig = new AttemptRig(RETRIES_LOST);
    AttemptRig.Try zombie = rig.running("attempt-1");
    zombie.agent.say("before");
    zombie.during(Duration.ofSeconds(1));
    AttemptRig.Try second = rig.startedAgain("attempt-2");
    zombie.agent.say("after");
    int before = rig.types(0).size();

    zombie.during(Duration.ofSeconds(1));
    assertEquals(1, zombie.agent.stops());
    zombie.agent.say("last words");
    zombie.agent.die();

    assertEquals(Step.Verdict.FENCED, zombie.finish());
    assertEquals(before, rig.types(0).size());
    assertEquals(1, rig.queue.runs().size());
    second.agent.succeed();
    assertEquals(Step.Verdict.ENDED, second.finish());
  }

  @Test
  void givesAnAgentUpThatCannotBeEnded() {
    rig = new AttemptRig(RETRIES_LOST);
    AttemptRig.Try zombie = rig.running("attempt-1");
    rig.startedAgain("attempt-2");
    zombie.during(Duration.ofSeconds(1));

    zombie.during(Duration.ofSeconds(Limits.LEAVE_SECONDS_MAX).minusSeconds(2));
    assertInstanceOf(Step.Again.class, zombie.step());

    assertEquals(Step.Verdict.STUCK, zombie.finish());
  }

  @Test
  void noticesATakeoverWhileItIsQuiet() {
    rig = new AttemptRig(RETRIES_LOST);
    AttemptRig.Try zombie = rig.running("attempt-1");
    rig.startedAgain("attempt-2");

    zombie.during(AttemptRig.LOOK);

    assertEquals(1, zombie.agent.stops());
  }

  @Test
  void writesNoEndAfterAnotherAttemptTookTheRun() {
    rig = new AttemptRig(RETRIES_LOST);
    AttemptRig.Try zombie = rig.running("attempt-1");
    rig.startedAgain("attempt-2");
    zombie.agent.succeed();
    int before = rig.types(0).size();

    assertEquals(Step.Verdict.FENCED, zombie.finish());

    assertEquals(before, rig.types(0).size());
    assertEquals(1, rig.queue.runs().size());
    assertEquals(List.of(), zombie.agent.logAtKeep(), "what a zombie remembers");
  }

  @Test
  void startsNoAgentWhenItWasTakenOverSinceTheClaim() {
    AttemptRig.Try zombie = rig.take("attempt-1");
    zombie.step();
    AttemptRig.Try second = rig.startedAgain("attempt-2");

    assertEquals(Step.Verdict.FENCED, zombie.finish());

    assertTrue(zombie.agent.launches().isEmpty());
    assertEquals(1, second.agent.launches().size());
  }

  /// A living attempt whose message is received by others.
  private AttemptRig.Try loseLease() {
    AttemptRig.Try alive = rig.running("attempt-1");
    rig.queue.down(true);
    alive.during(LEASE_OVER);
    rig.queue.down(false);
    return alive;
  }
}
