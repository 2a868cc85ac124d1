package dev.runyard.core.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.event.ActionType;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.run.RunState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// An attempt at a run that somebody wants to give its place up.
final class AttemptAsideTest {
  private static final Duration A_LOOK = AttemptRig.LOOK.plusMillis(20);
  private static final Duration LONG = Duration.ofHours(20);

  private final AttemptRig rig = new AttemptRig();

  @Test
  void givesItsPlaceUpAndGoesOnElsewhereInItsOwnTime() {
    paused();
    assertEquals(
        List.of("task.updated", "process.terminated", "process.completed", "task.paused"), last(4));
    assertEquals(Optional.empty(), rig.advance().dueAt());
    assertEquals(List.of(), rig.queue.runs());

    rig.pass(LONG);
    assertEquals("paused", rig.advance().phase());
    rig.goOn();
    assertInstanceOf(RunState.Retrying.class, rig.advance());
    assertEquals(List.of("task.updated", "task.resumed", "task.queued"), last(3));
    rig.pass(Duration.ofMinutes(30));
    AttemptRig.Try second = rig.running("attempt-2");
    second.agent.say("more");
    second.during(Duration.ofSeconds(AttemptRig.TIMEOUT_SECONDS - 60));
    assertEquals(0, second.agent.stops());
    assertEquals(1, second.agent.launches().getFirst().interactions().continuations());

    second.agent.succeed();
    second.finish();
    assertInstanceOf(RunState.Completed.class, rig.advance());
  }

  @Test
  void itsTimeGoesOnWhereItStopped() {
    paused();
    rig.pass(LONG);
    rig.goOn();
    rig.advance();
    AttemptRig.Try second = rig.running("attempt-2");
    for (int i = 0; i <= AttemptRig.TIMEOUT_SECONDS / 60; i++) {
      second.agent.say("more");
      second.during(Duration.ofSeconds(60));
    }

    assertEquals(1, second.agent.stops());
  }

  @Test
  void anAgentThatCannotGoOnElsewhereWorksToItsEnd() {
    AttemptRig.Try attempt = rig.running("attempt-1");
    attempt.agent.holdOn();
    rig.putAside();
    attempt.during(A_LOOK.multipliedBy(5));
    assertEquals(0, attempt.agent.stops());
    attempt.agent.succeed();
    attempt.finish();

    assertInstanceOf(RunState.Completed.class, rig.advance());
  }

  @Test
  void whatWasDoneBeforeTheAgentWasEndedCounts() {
    AttemptRig.Try attempt = rig.running("attempt-1");
    rig.putAside();
    attempt.during(A_LOOK);
    attempt.agent.succeed();
    attempt.finish();

    assertInstanceOf(RunState.Completed.class, rig.advance());
  }

  @Test
  void startsNoAgentOnceItIsPutAside() {
    AttemptRig.Try attempt = rig.take("attempt-1");
    attempt.agent.needTime();
    attempt.step();
    attempt.step();
    rig.putAside();
    assertEquals(Step.Verdict.ENDED, attempt.finish());
    RunState.Paused rests = assertInstanceOf(RunState.Paused.class, rig.advance());
    assertEquals(List.of("task.attempt.failed", "task.retrying"), last(2));
    assertEquals(0, rests.facts().tries());

    rig.pass(LONG);
    rig.advance();
    rig.goOn();
    rig.advance();
    AttemptRig.Try second = rig.running("attempt-2");
    second.agent.succeed();
    second.finish();
    assertInstanceOf(RunState.Completed.class, rig.advance());
    assertTrue(
        rig.events().stream()
            .noneMatch(event -> event instanceof RunEvent.AttemptStarted at && at.continuation()));
  }

  /// What it took is given back by then: the agent of this attempt may not have it any more.
  @Test
  void startsNoAgentThoughItMayGoOnWhileItGivesBackWhatItTook() {
    AttemptRig.Try attempt = rig.take("attempt-1");
    attempt.agent.takeTime();
    attempt.agent.returnSlowly();
    attempt.during(A_LOOK);
    rig.putAside();
    attempt.during(A_LOOK);
    attempt.agent.taken();
    attempt.during(A_LOOK);
    assertEquals(1, attempt.agent.logAtGiveBack().size());
    rig.goOn();
    attempt.during(A_LOOK);
    assertEquals(List.of(), attempt.agent.launches());
    attempt.agent.returned();

    assertEquals(Step.Verdict.ENDED, attempt.finish());
    assertEquals(List.of(), attempt.agent.launches());
    assertInstanceOf(RunState.Retrying.class, rig.advance());
  }

  @Test
  void goesOnAtOnceIfItMayBeforeItsAgentHasEnded() {
    AttemptRig.Try attempt = rig.running("attempt-1");
    rig.putAside();
    attempt.during(A_LOOK);
    rig.goOn();
    attempt.agent.die();
    attempt.finish();

    assertInstanceOf(RunState.Retrying.class, rig.advance());
  }

  @Test
  void isNotEndedIfItMayGoOnBeforeItsRunnerLooks() {
    AttemptRig.Try attempt = rig.running("attempt-1");
    rig.putAside();
    rig.goOn();
    attempt.during(A_LOOK);

    assertEquals(0, attempt.agent.stops());
  }

  @Test
  void isCancelledWithoutAnAgent() {
    paused();
    rig.cancelUnheard();

    assertInstanceOf(RunState.Cancelled.class, rig.advance());
  }

  @Test
  void aCancelThatComesWhileItsAgentIsEndedWins() {
    AttemptRig.Try attempt = rig.running("attempt-1");
    rig.putAside();
    attempt.during(A_LOOK);
    rig.cancel();
    attempt.agent.die();
    attempt.finish();

    assertInstanceOf(RunState.Cancelled.class, rig.advance());
  }

  @Test
  void isLostWithItsRunnerAsAnyRunIs() {
    AttemptRig.Try attempt = rig.running("attempt-1");
    rig.putAside();
    attempt.during(A_LOOK);
    rig.takenOver();

    RunState.Failed lost = assertInstanceOf(RunState.Failed.class, rig.advance());
    assertEquals(Failure.RUNNER_LOST, lost.error().code());
  }

  @Test
  void anotherTryWaitsUntilItMayGoOn() {
    AttemptRig retried = new AttemptRig(new RetryPolicy(3, List.of(Failure.RUNNER_LOST), 30));
    AttemptRig.Try attempt = retried.running("attempt-1");
    attempt.agent.holdOn();
    retried.putAside();
    attempt.during(A_LOOK);
    retried.takenOver();
    assertEquals("paused", retried.advance().phase());
    retried.pass(LONG);
    retried.goOn();

    RunState.Retrying next = assertInstanceOf(RunState.Retrying.class, retried.advance());
    assertEquals(30, next.waiting().delaySeconds());
    assertEquals(next, retried.advance());
  }

  @Test
  void stillWaitsForItsPersonOnceItMayGoOn() {
    AttemptRig.Try attempt = rig.running("attempt-1");
    attempt.agent.ask(rig.question(1, ActionType.PERMISSION, 0));
    attempt.step();
    rig.putAside();
    attempt.during(A_LOOK);
    attempt.agent.die();
    attempt.finish();
    assertEquals("paused", rig.advance().phase());
    rig.goOn();
    assertEquals("waiting_permission", rig.advance().phase());

    rig.decide(1, ActionDecision.APPROVE);
    assertInstanceOf(RunState.Retrying.class, rig.advance());
  }

  @Test
  void isNotQueuedByADecision() {
    AttemptRig.Try attempt = rig.running("attempt-1");
    attempt.agent.ask(rig.question(1, ActionType.PERMISSION, 0));
    attempt.step();
    attempt.during(Duration.ofSeconds(Limits.AWAIT_GRACE_SECONDS).plus(A_LOOK));
    attempt.agent.die();
    attempt.finish();
    rig.putAside();
    rig.decide(1, ActionDecision.APPROVE);
    assertEquals("paused", rig.advance().phase());

    rig.goOn();
    assertInstanceOf(RunState.Retrying.class, rig.advance());
  }

  /// Also where the agent says that it can be paused right after it was asked for another reason.
  @Test
  void isSaidToBePutAsideThoughItAlsoWaitsForAPerson() {
    AttemptRig.Try attempt = rig.running("attempt-1");
    attempt.agent.ask(rig.question(1, ActionType.QUESTION, 0));
    attempt.step();
    attempt.agent.unanswered();
    attempt.during(Duration.ofSeconds(Limits.AWAIT_GRACE_SECONDS).plus(A_LOOK));
    attempt.agent.pausable();
    attempt.agent.checkWithinAStep();
    rig.putAside();
    attempt.during(A_LOOK);
    attempt.agent.die();
    attempt.finish();

    assertEquals(
        AttemptEnd.PUT_ASIDE,
        rig.events().stream()
            .filter(RunEvent.TaskPaused.class::isInstance)
            .map(event -> ((RunEvent.TaskPaused) event).reason())
            .findFirst()
            .orElseThrow());
  }

  private void paused() {
    AttemptRig.Try attempt = rig.running("attempt-1");
    rig.putAside();
    attempt.during(A_LOOK);
    assertEquals(1, attempt.agent.stops());
    attempt.agent.die();
    assertEquals(Step.Verdict.ENDED, attempt.finish());
    assertEquals("paused", assertInstanceOf(RunState.Paused.class, rig.advance()).phase());
  }

  private List<String> last(int count) {
    List<String> types = rig.types(0);
    return types.subList(types.size() - count, types.size());
  }
}
