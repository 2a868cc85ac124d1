package dev.runyard.core.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.event.ActionType;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.interaction.Action;
import dev.runyard.core.interaction.AgentInput;
import dev.runyard.core.interaction.Interactions;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.run.Decision;
import dev.runyard.core.run.RunState;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// An attempt whose agent waits for people, and what people send it.
final class AttemptAwaitTest {
  private static final int STARTED = 6;
  private static final Duration GRACE = Duration.ofSeconds(Limits.AWAIT_GRACE_SECONDS);
  private static final Duration A_LOOK = AttemptRig.LOOK.plusMillis(20);

  private final AttemptRig rig = new AttemptRig();

  @Test
  void waitsForADecisionAndHandsItToTheAgentOnce() {
    AttemptRig.Try attempt = asking(ActionType.PERMISSION);
    assertEquals(
        List.of("action.required", "permission.requested", "task.waiting"), rig.types(STARTED));
    assertEquals(
        "waiting_permission", assertInstanceOf(RunState.InProgress.class, rig.state()).phase());

    assertNull(rig.decide(1, ActionDecision.APPROVE));
    assertEquals(Decision.Reason.DECIDED, rig.decide(1, ActionDecision.DENY));
    attempt.during(A_LOOK.multipliedBy(3));

    assertEquals(ActionDecision.APPROVE, decision(attempt.agent.given()));
    attempt.agent.took(attempt.agent.given().getFirst());
    attempt.agent.succeed();
    attempt.finish();
    assertEquals(
        List.of(
            "action.resolved",
            "permission.resolved",
            "process.input",
            "process.completed",
            "task.attempt.completed"),
        rig.types(STARTED + 3));
    assertInstanceOf(RunState.Completed.class, rig.advance());
  }

  @Test
  void givesItsPlaceUpAndContinuesInAnotherAttempt() {
    AttemptRig.Try attempt = asking(ActionType.QUESTION);
    attempt.during(GRACE.minusMillis(1));
    assertEquals(0, attempt.agent.stops());
    attempt.during(A_LOOK);
    assertEquals(1, attempt.agent.stops());
    attempt.agent.die();
    assertEquals(Step.Verdict.ENDED, attempt.finish());
    assertEquals(List.of("process.terminated", "process.completed", "task.paused"), last(3));
    assertEquals(
        "awaiting", assertInstanceOf(RunState.Paused.class, rig.advance()).status().wire());
    assertEquals(List.of(), rig.queue.runs());

    rig.pass(Duration.ofHours(20));
    assertNull(rig.decide(1, ActionDecision.ANSWER));
    assertEquals(
        "in-progress", assertInstanceOf(RunState.Retrying.class, rig.advance()).status().wire());
    AttemptRig.Try second = rig.running("attempt-2");
    second.step();

    Interactions interactions = second.agent.launches().getFirst().interactions();
    assertEquals(1, interactions.continuations());
    assertEquals(ActionDecision.ANSWER, decision(second.agent.given()));
    second.agent.took(second.agent.given().getFirst());
    second.agent.succeed();
    second.finish();
    assertInstanceOf(RunState.Completed.class, rig.advance());
  }

  @Test
  void failsWhenWhatAnotherAttemptNeedsCouldNotBeKept() {
    AttemptRig.Try attempt = asking(ActionType.PERMISSION);
    attempt.during(GRACE.plus(A_LOOK));
    attempt.agent.fail(Failure.WORKSPACE_NOT_KEPT);
    attempt.finish();

    assertEquals("task.attempt.failed", last(1).getFirst());
    RunState.Failed failed = assertInstanceOf(RunState.Failed.class, rig.advance());
    assertEquals(Failure.WORKSPACE_NOT_KEPT, failed.error().code());
  }

  @Test
  void failsWhenTheSessionOfAPausedAgentCouldNotBeStored() {
    AttemptRig.Try attempt = asking(ActionType.PERMISSION);
    attempt.agent.forgetful(new RunEvent.RuntimeWarning("session_not_kept", "It is not stored."));
    attempt.during(GRACE.plus(A_LOOK));
    attempt.agent.die();
    attempt.finish();

    assertEquals("task.attempt.failed", last(1).getFirst());
    RunState.Failed failed = assertInstanceOf(RunState.Failed.class, rig.advance());
    assertEquals(Failure.WORKSPACE_NOT_KEPT, failed.error().code());
  }

  @Test
  void pausesWhenTheSessionIsStoredWithoutItsSecrets() {
    AttemptRig.Try attempt = asking(ActionType.PERMISSION);
    attempt.agent.discreet(new RunEvent.RuntimeWarning("session_redacted", "It had a key."));
    attempt.during(GRACE.plus(A_LOOK));
    attempt.agent.die();
    attempt.finish();

    assertEquals(
        List.of("runtime.warning", "process.terminated", "process.completed", "task.paused"),
        last(4));
    assertInstanceOf(RunState.Paused.class, rig.advance());
  }

  @Test
  void continuesWhenTheDecisionComesWhileItIsBeingPaused() {
    AttemptRig.Try attempt = asking(ActionType.QUESTION);
    attempt.during(GRACE.plus(A_LOOK));
    assertNull(rig.decide(1, ActionDecision.ANSWER));
    attempt.during(A_LOOK);
    attempt.agent.die();
    attempt.finish();

    assertInstanceOf(RunState.Retrying.class, rig.advance());
    AttemptRig.Try second = rig.running("attempt-2");
    second.step();
    assertEquals(ActionDecision.ANSWER, decision(second.agent.given()));
  }

  @Test
  void leavesAnAgentAloneThatStillWorksOnSomethingElse() {
    AttemptRig.Try attempt = asking(ActionType.QUESTION);
    for (int i = 0; i < 4; i++) {
      attempt.during(GRACE.dividedBy(2));
      attempt.agent.say("working");
    }
    assertEquals(0, attempt.agent.stops());

    attempt.during(GRACE.plus(A_LOOK.multipliedBy(2)));

    assertEquals(1, attempt.agent.stops());
  }

  @Test
  void holdsThePlaceOfAnAgentThatCannotContinueElsewhere() {
    AttemptRig.Try attempt = asking(ActionType.QUESTION);
    attempt.agent.holdOn();

    attempt.during(GRACE.multipliedBy(20));

    assertEquals(0, attempt.agent.stops());
    assertTrue(assertInstanceOf(RunState.InProgress.class, rig.state()).awaiting());
  }

  @Test
  void refusesAtOnceInARunThatMustNotWait() {
    AttemptRig.Try attempt = rig.take("attempt-1");
    attempt.agent.alone();
    attempt.step();
    attempt.step();
    attempt.agent.ask(rig.question(1, ActionType.PERMISSION, 0));
    attempt.step();
    attempt.during(A_LOOK);

    assertEquals(ActionDecision.DENY, decision(attempt.agent.given()));
    assertEquals(
        List.of(
            "action.required", "permission.requested", "action.resolved", "permission.resolved"),
        rig.types(STARTED));
    assertInstanceOf(RunState.InProgress.class, rig.state());
  }

  @Test
  void refusesWhatIsAskedBeyondTheLimit() {
    AttemptRig.Try attempt = rig.running("attempt-1");
    for (int i = 1; i <= Limits.ACTIONS_PENDING_MAX + 1; i++) {
      attempt.agent.ask(rig.question(i, ActionType.QUESTION, 0));
    }
    attempt.agent.ask(rig.question(1, ActionType.QUESTION, 0));
    attempt.step();
    attempt.step();

    Interactions interactions = interactions();
    assertEquals(Limits.ACTIONS_PENDING_MAX, interactions.pending().size());
    assertEquals(Limits.ACTIONS_PENDING_MAX + 1, interactions.actions().size());
    assertEquals(ActionDecision.DENY, decision(attempt.agent.given()));
  }

  @Test
  void refusesAPermissionNobodyGivesInTime() {
    AttemptRig.Try attempt = rig.running("attempt-1");
    attempt.agent.ask(rig.question(1, ActionType.PERMISSION, 30));
    attempt.step();
    attempt.during(Duration.ofSeconds(29));
    assertEquals(List.of(), attempt.agent.given());

    attempt.during(A_LOOK.multipliedBy(2));

    assertEquals(ActionDecision.TIMED_OUT, decision(attempt.agent.given()));
    assertEquals(0, attempt.agent.stops());
    assertEquals(Decision.Reason.DECIDED, rig.decide(1, ActionDecision.APPROVE));
    assertInstanceOf(RunState.InProgress.class, rig.state());
  }

  @Test
  void endsARunWhoseQuestionNobodyAnswersInTime() {
    AttemptRig.Try attempt = rig.running("attempt-1");
    attempt.agent.ask(rig.question(1, ActionType.QUESTION, 30));
    attempt.step();
    attempt.during(Duration.ofSeconds(30).plus(A_LOOK));
    assertEquals(1, attempt.agent.stops());
    attempt.agent.die();
    attempt.finish();

    RunState.Failed run = assertInstanceOf(RunState.Failed.class, rig.advance());
    assertEquals("timed_out", run.phase());
    assertEquals(Failure.AWAIT_TIMED_OUT, run.error().code());
    assertEquals(List.of("action.resolved", "turn.failed", "task.timed_out"), last(3));
  }

  @Test
  void doesNotLoseARunWhoseRunnerDiesWhileItWaits() {
    asking(ActionType.QUESTION);
    assertEquals(List.of("attempt-1"), rig.takenOver().agent.lost());
    assertInstanceOf(RunState.Paused.class, rig.advance());

    assertNull(rig.decide(1, ActionDecision.ANSWER));
    rig.advance();
    AttemptRig.Try third = rig.running("attempt-3");
    third.step();

    assertEquals(ActionDecision.ANSWER, decision(third.agent.given()));
    assertEquals(1, interactions().continuations());
  }

  @Test
  void continuesAtOnceWhenItsRunnerDiedBeforeTheDecisionWasTaken() {
    asking(ActionType.QUESTION);
    assertNull(rig.decide(1, ActionDecision.ANSWER));

    AttemptRig.Try second = rig.startedAgain("attempt-2");
    second.step();

    assertEquals(ActionDecision.ANSWER, decision(second.agent.given()));
    assertTrue(rig.types(STARTED).contains("task.resumed"));
  }

  @Test
  void holdsItsPlaceForAsLongAsItsQuestionStands() {
    int seconds = 2 * Limits.RUN_SECONDS_MAX;
    AttemptRig.Try attempt = rig.running("attempt-1");
    attempt.agent.holdOn();
    attempt.agent.ask(rig.question(1, ActionType.QUESTION, seconds));

    attempt.during(Duration.ofSeconds(seconds).minusMinutes(1));
    assertEquals(0, attempt.agent.stops());
    assertNull(rig.decide(1, ActionDecision.ANSWER));
    attempt.during(A_LOOK);
    attempt.agent.took(attempt.agent.given().getFirst());
    attempt.agent.succeed();

    assertEquals(Step.Verdict.ENDED, attempt.finish());
    assertInstanceOf(RunState.Completed.class, rig.advance());
  }

  @Test
  void losesARunWhoseRunnerDiesAfterTheDecisionWasTaken() {
    AttemptRig.Try attempt = asking(ActionType.QUESTION);
    assertNull(rig.decide(1, ActionDecision.ANSWER));
    attempt.during(A_LOOK);
    attempt.agent.took(attempt.agent.given().getFirst());
    attempt.during(A_LOOK);

    rig.takenOver();

    assertEquals("lost", assertInstanceOf(RunState.Failed.class, rig.advance()).phase());
  }

  @Test
  void pausesInsteadOfFailingWhenItsRunnerStops() {
    AttemptRig.Try attempt = asking(ActionType.QUESTION);
    attempt.drain();
    attempt.step();
    assertEquals(1, attempt.agent.stops());
    attempt.agent.die();
    attempt.finish();

    assertInstanceOf(RunState.Paused.class, rig.advance());
  }

  @Test
  void handsMessagesOverInOrderAndEachOnce() {
    AttemptRig.Try attempt = rig.running("attempt-1");
    rig.say("message-1");
    rig.say("message-2");
    rig.say("message-1");
    attempt.during(A_LOOK);
    rig.say("message-3");
    attempt.during(A_LOOK);

    assertEquals(List.of("message-1", "message-2", "message-3"), said(attempt.agent.given()));
  }

  @Test
  void handsTheNextAttemptWhatWasNotTaken() {
    AttemptRig retrying = new AttemptRig(new RetryPolicy(3, List.of("*"), 0));
    AttemptRig.Try attempt = retrying.running("attempt-1");
    List.of("message-1", "message-2", "message-3").forEach(retrying::say);
    attempt.during(A_LOOK);
    attempt.agent.took(attempt.agent.given().get(0));
    attempt.agent.refuse(attempt.agent.given().get(1), "no room");
    attempt.during(A_LOOK);

    AttemptRig.Try second = retrying.startedAgain("attempt-2");
    second.step();

    assertEquals(List.of("message-3"), said(second.agent.given()));
    Interactions interactions = second.agent.launches().getFirst().interactions();
    assertEquals("message-1", interactions.messages().getFirst().messageId());
    assertEquals(1, interactions.messages().size());
  }

  @Test
  void saysOfAMessageThatItWasRefused() {
    AttemptRig.Try attempt = rig.running("attempt-1");
    rig.say("message-1");
    attempt.during(A_LOOK);
    attempt.agent.refuse(attempt.agent.given().getFirst(), "no room");
    attempt.agent.succeed();
    attempt.finish();
    rig.advance();

    assertTrue(
        rig.events()
            .contains(
                new RunEvent.ProcessInput("process-attempt-1", "message-1", null, "no room")));
    assertTrue(rig.types(STARTED).stream().noneMatch("channel.disconnected"::equals));
  }

  private AttemptRig.Try asking(ActionType type) {
    AttemptRig.Try attempt = rig.running("attempt-1");
    attempt.agent.ask(rig.question(1, type, 0));
    attempt.step();
    return attempt;
  }

  private List<String> last(int count) {
    List<String> types = rig.types(0);
    return types.subList(types.size() - count, types.size());
  }

  private Interactions interactions() {
    return assertInstanceOf(RunState.Existing.class, rig.state()).facts().interactions();
  }

  private static ActionDecision decision(List<AgentInput> given) {
    assertEquals(1, given.size());
    Action action = assertInstanceOf(AgentInput.Decided.class, given.getFirst()).action();
    return Objects.requireNonNull(action.resolution()).decision();
  }

  private static List<String> said(List<AgentInput> given) {
    return given.stream()
        .map(input -> assertInstanceOf(AgentInput.Said.class, input).message().messageId())
        .toList();
  }
}
