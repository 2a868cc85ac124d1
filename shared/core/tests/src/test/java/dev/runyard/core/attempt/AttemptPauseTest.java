package dev.runyard.core.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.event.ActionType;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.RunState;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// When an agent is asked whether it can be paused, and what is made of its answer.
final class AttemptPauseTest {
  private static final Duration GRACE = Duration.ofSeconds(Limits.AWAIT_GRACE_SECONDS);
  private static final Duration A_LOOK = AttemptRig.LOOK.plusMillis(20);
  private final AttemptRig rig = new AttemptRig();

  @Test
  void writesOutputAndKeepsItsLeaseWhileItIsFoundOut() {
    AttemptRig.Try attempt = asking();
    attempt.agent.checkSlowly();
    attempt.during(GRACE.plus(A_LOOK));
    assertEquals(1, attempt.agent.checks());
    int extensions = rig.queue.extensions().size();

    attempt.agent.say("still here");
    attempt.during(AttemptRig.LEASE);

    assertTrue(rig.types(0).contains("model.delta"));
    assertTrue(rig.queue.extensions().size() > extensions);
    assertEquals(1, attempt.agent.checks());
    assertEquals(0, attempt.agent.stops());
    attempt.agent.checked();
    attempt.during(GRACE);
    assertEquals(2, attempt.agent.checks(), "it said something after the first");
    attempt.agent.checked();
    attempt.during(A_LOOK);
    paused(attempt);
  }

  @Test
  void isAskedAgainAMinuteLater() {
    AttemptRig.Try attempt = asking();
    attempt.agent.unanswered();

    attempt.during(GRACE.plus(AttemptPause.LOOK_AGAIN.multipliedBy(3)).plus(A_LOOK));

    assertEquals(4, attempt.agent.checks());
    assertEquals(0, attempt.agent.stops());
  }

  @Test
  void isAskedAtOnceWhenItsRunnerStopsThoughItCouldNotBePausedJustNow() {
    AttemptRig.Try attempt = asking();
    attempt.agent.unanswered();
    attempt.during(GRACE.plusSeconds(20));
    attempt.agent.pausable();

    attempt.drain();
    attempt.step();

    paused(attempt);
  }

  @Test
  void isAskedForAWhileWhenItsRunnerStops() {
    AttemptRig.Try attempt = asking();
    attempt.agent.unanswered();
    attempt.drain();
    attempt.during(AttemptPause.HURRIED_MAX.dividedBy(2));
    assertEquals(0, attempt.agent.stops());
    attempt.agent.pausable();

    attempt.during(AttemptPause.SOON_AGAIN.plusMillis(1));

    paused(attempt);
  }

  @Test
  void isStoppedWithItsRunnerOnceItWasAskedForLongEnough() {
    AttemptRig.Try attempt = asking();
    attempt.agent.unanswered();
    attempt.drain();
    attempt.during(AttemptPause.HURRIED_MAX.plusSeconds(1));

    stopped(attempt);
  }

  @Test
  void isStoppedWithItsRunnerThoughNothingSaysWhetherItCanBePaused() {
    AttemptRig.Try attempt = asking();
    attempt.agent.checkSlowly();
    attempt.drain();
    attempt.during(AttemptPause.HURRIED_MAX.plusSeconds(1));
    assertEquals(1, attempt.agent.checks());

    stopped(attempt);
  }

  @Test
  void isStoppedAtOnceWithItsRunnerWhereItKeepsItsPlace() {
    AttemptRig.Try attempt = asking();
    attempt.agent.holdOn();
    attempt.drain();
    attempt.step();

    stopped(attempt);
  }

  @Test
  void isAskedAtOnceWhenItIsPutAsideThoughItCouldNotBePausedJustNow() {
    AttemptRig.Try attempt = asking();
    attempt.agent.unanswered();
    attempt.during(GRACE.plusSeconds(20));
    attempt.agent.pausable();

    rig.putAside();
    attempt.during(A_LOOK);

    paused(attempt);
  }

  /// Its files may have grown since, and another check must not write behind what a pause stores.
  @Test
  void whatWasFoundOutForAnEarlierQuestionDoesNotCount() {
    AttemptRig.Try attempt = asking();
    attempt.agent.checkSlowly();
    attempt.during(GRACE.plus(A_LOOK));
    rig.decide(1, ActionDecision.ANSWER);
    attempt.during(A_LOOK);
    attempt.agent.took(attempt.agent.given().getFirst());
    attempt.agent.ask(rig.question(2, ActionType.QUESTION, 0));
    attempt.during(GRACE.plus(A_LOOK));
    assertEquals(1, attempt.agent.checks());

    attempt.agent.checked();
    attempt.during(A_LOOK);

    assertEquals(0, attempt.agent.stops());
    assertEquals(2, attempt.agent.checks());
    attempt.agent.checked();
    attempt.during(A_LOOK);
    paused(attempt);
  }

  private AttemptRig.Try asking() {
    AttemptRig.Try attempt = rig.running("attempt-1");
    attempt.agent.ask(rig.question(1, ActionType.QUESTION, 0));
    attempt.step();
    return attempt;
  }

  private void paused(AttemptRig.Try attempt) {
    assertEquals(1, attempt.agent.stops());
    attempt.agent.die();
    attempt.finish();
    assertInstanceOf(RunState.Paused.class, rig.advance());
  }

  private void stopped(AttemptRig.Try attempt) {
    assertEquals(1, attempt.agent.stops());
    attempt.agent.die();
    attempt.finish();
    assertEquals(
        Failure.RUNNER_STOPPED,
        assertInstanceOf(RunState.Failed.class, rig.advance()).error().code());
  }
}
