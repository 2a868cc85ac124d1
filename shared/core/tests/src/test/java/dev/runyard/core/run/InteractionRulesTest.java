package dev.runyard.core.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.event.ActionRequired;
import dev.runyard.core.event.ActionType;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.ActionId;
import dev.runyard.core.interaction.Action;
import dev.runyard.core.interaction.AgentInput;
import dev.runyard.core.interaction.Interactions;
import dev.runyard.core.interaction.Question;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.request.RetryPolicy;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// What people send to a run, and what follows.
class InteractionRulesTest {
  private static final Instant IN_TIME = SampleStates.EXPIRES.minusSeconds(1);
  private static final RunCommand ANSWER = decide(ActionDecision.ANSWER, IN_TIME);
  private final SampleStates samples = new SampleStates(RetryPolicy.NEVER);
  private final Map<String, RunState> states = samples.all();

  @Test
  void takesTheFirstDecisionOfAnActionOnly() {
    check(
        ANSWER,
        """
        absent: NO_RUN
        created, retrying, claimed, running, exited, succeeded, failed: NO_ACTION
        asked, asked-failed, paused: action.resolved
        answered, decided, resuming: DECIDED
        cancelling-idle, cancelling-claimed, cancelling-running, cancelling-exited: NO_ACTION
        cancelling-succeeded, cancelling-failed, Completed, Failed, Cancelled: NO_ACTION
        """);
  }

  @Test
  void takesNoDecisionOnceTheTimeIsOver() {
    RunState asked = samples.asked();

    assertEquals("action.resolved", RunRulesTest.outcome(asked, ANSWER));
    assertEquals(
        "DECIDED",
        RunRulesTest.outcome(asked, decide(ActionDecision.ANSWER, SampleStates.EXPIRES)));
    assertEquals(
        "NOT_APPLICABLE", RunRulesTest.outcome(asked, decide(ActionDecision.TIMED_OUT, IN_TIME)));
  }

  @Test
  void takesOnlyDecisionsThatFitTheAction() {
    RunState permission = samples.asked(ActionType.PERMISSION);
    RunState message = samples.asked(ActionType.MESSAGE);

    assertEquals("NOT_APPLICABLE", RunRulesTest.outcome(permission, ANSWER));
    assertEquals(
        "action.resolved permission.resolved",
        RunRulesTest.outcome(permission, decide(ActionDecision.APPROVE, IN_TIME)));
    assertEquals(
        "NOT_APPLICABLE",
        RunRulesTest.outcome(samples.asked(), decide(ActionDecision.APPROVE, IN_TIME)));
    assertEquals(
        "NOT_APPLICABLE", RunRulesTest.outcome(message, decide(ActionDecision.DENY, IN_TIME)));
    assertEquals(
        "NOT_APPLICABLE",
        RunRulesTest.outcome(samples.asked(), decide(ActionDecision.CANCELLED, IN_TIME)));
  }

  @Test
  void takesNoAnswerBesidesTheChoices() {
    RunState asked =
        SampleStates.then(
            samples.running(),
            new Question(
                    SampleStates.ACTION,
                    ActionType.QUESTION,
                    "Which?",
                    null,
                    List.of("left", "right"),
                    0,
                    null)
                .asked(IN_TIME));

    assertEquals("action.resolved", RunRulesTest.outcome(asked, answer(Question.answer("left"))));
    for (JsonNode wrong :
        Arrays.asList(
            Question.answer("Left"),
            Question.answer("up"),
            JsonNodeFactory.instance.objectNode().put("text", "left"),
            null)) {
      assertEquals("NOT_OFFERED", RunRulesTest.outcome(asked, answer(wrong)));
    }
    assertEquals(
        "action.resolved", RunRulesTest.outcome(asked, decide(ActionDecision.DENY, IN_TIME)));
  }

  /// What is kept has milliseconds, and whoever wrote it must see the same.
  @Test
  void expiresAtAWholeMillisecond() {
    Question question =
        new Question(SampleStates.ACTION, ActionType.QUESTION, "Which?", null, List.of(), 5, null);

    assertEquals(
        Instant.parse("2026-03-01T12:00:05.123Z"),
        question.asked(Instant.parse("2026-03-01T12:00:00.123456Z")).expiresAt());
  }

  @Test
  void decidesNothingWhileTheRunIsBeingCancelled() {
    RunState cancelling =
        SampleStates.then(samples.asked(), new RunEvent.CancelRequested("changed my mind"));

    assertEquals("CANCELLING", RunRulesTest.outcome(cancelling, ANSWER));
    assertEquals(
        "action.resolved turn.failed task.cancelled",
        RunRulesTest.outcome(
            SampleStates.then(samples.paused(), new RunEvent.CancelRequested("no")),
            new RunCommand.Advance(IN_TIME)));
  }

  @Test
  void refusesAPermissionNobodyGrantsAndContinues() {
    RunState paused =
        SampleStates.then(
            samples.asked(ActionType.PERMISSION),
            new RunEvent.TaskPaused(1, "attempt-1", "awaiting"));

    assertEquals(
        "action.resolved permission.resolved",
        RunRulesTest.outcome(paused, new RunCommand.Advance(SampleStates.EXPIRES)));
    assertEquals("STAY", RunRulesTest.outcome(paused, new RunCommand.Advance(IN_TIME)));
  }

  @Test
  void takesMessagesUntilTheRunIsEnding() {
    check(
        new RunCommand.Message("message-1", "hello", null),
        """
        absent: NO_RUN
        created, retrying, claimed, running, exited, succeeded, failed: channel.message
        asked, asked-failed, answered, paused, decided, resuming: channel.message
        cancelling-idle, cancelling-claimed, cancelling-running, cancelling-exited: CANCELLING
        cancelling-succeeded, cancelling-failed: CANCELLING
        Completed, Failed, Cancelled: CLOSED
        """);
  }

  @Test
  void knowsAMessageAgainByItsId() {
    RunState told = SampleStates.then(samples.running(), said("message-1"));
    RunState ended = SampleStates.then(told, new RunEvent.TaskFailed(SampleStates.FAILURE));

    assertEquals("STAY", RunRulesTest.outcome(told, message("message-1", "hello")));
    assertEquals("STAY", RunRulesTest.outcome(ended, message("message-1", "hello")));
    assertEquals("MISMATCH", RunRulesTest.outcome(told, message("message-1", "bye")));
    assertEquals("channel.message", RunRulesTest.outcome(told, message("message-2", "bye")));
  }

  @Test
  void acceptsABoundedNumberOfMessages() {
    RunState state = samples.running();
    for (int i = 0; i < Limits.MESSAGES_MAX; i++) {
      assertEquals(
          "channel.message", RunRulesTest.outcome(state, message("message-" + i, "hello")));
      state = SampleStates.then(state, said("message-" + i));
    }

    assertEquals("FULL", RunRulesTest.outcome(state, message("one-more", "hello")));
  }

  @Test
  void saysWhichMessagesWereNeverTaken() {
    RunState state =
        SampleStates.succeeded(
            SampleStates.then(
                samples.exited(),
                said("message-1"),
                said("message-2"),
                new RunEvent.ProcessInput("process-1", "message-1", null, null)));
    Decision end = RunRules.decide(state, new RunCommand.Advance(IN_TIME));

    assertEquals(
        Decision.append(
            new RunEvent.ChannelDisconnected(List.of("message-2")),
            new RunEvent.TurnCompleted(),
            new RunEvent.TaskCompleted()),
        end);
  }

  @Test
  void givesTheAgentItsInputsInTheOrderOfTheLog() {
    RunState state = SampleStates.answered(SampleStates.then(samples.asked(), said("message-1")));
    state =
        SampleStates.then(
            state,
            said("message-2"),
            new RunEvent.ProcessInput("process-1", "message-1", null, null));
    Interactions interactions = interactions(state);

    assertEquals(2, interactions.undelivered().size());
    assertInstanceOf(AgentInput.Decided.class, interactions.undelivered().getFirst());
    assertInstanceOf(AgentInput.Said.class, interactions.undelivered().getLast());
    assertEquals("message-1", interactions.messages().getFirst().messageId());
    assertEquals(List.of(), interactions.answers());
  }

  @Test
  void keepsMessagesRefusedByTheAgentOutOfItsReplay() {
    RunState state =
        SampleStates.then(
            samples.running(),
            said("message-1"),
            new RunEvent.ProcessInput("process-1", "message-1", null, "no room"));

    assertEquals(List.of(), interactions(state).undelivered());
    assertEquals(List.of(), interactions(state).messages());
    assertEquals("no room", interactions(state).inbox().getFirst().refused());
  }

  @Test
  void doesNotCountTimeSpentWaitingForPeople() {
    Instant decided = SampleStates.CLAIMED.plusSeconds(100);
    RunState state =
        SampleStates.fold(
            samples.paused(),
            decided,
            new RunEvent.ActionResolved(SampleStates.ACTION, ActionDecision.ANSWER, null, "me"),
            new RunEvent.TaskQueued(2, 0, 0));
    state =
        SampleStates.fold(
            state, decided.plusSeconds(7), new RunEvent.AttemptStarted(2, "a2", "r", "t", true));
    RunFacts facts = assertInstanceOf(RunState.InProgress.class, state).facts();

    assertEquals(
        SampleStates.CLAIMED.plusSeconds(600 + 107 + Limits.STOP_SECONDS), facts.deadline());
    assertEquals(1, facts.tries());
    assertEquals(2, facts.attempts());
  }

  @Test
  void keepsTheWordsAndCountsTheOutputOfAnAttemptThatIsContinued() {
    RunState told =
        SampleStates.then(
            samples.running(),
            new RunEvent.ModelDelta("before "),
            new RunEvent.RunStatus("running"));
    RunState paused = SampleStates.then(told, new RunEvent.TaskPaused(1, "attempt-1", "awaiting"));
    RunState goesOn =
        SampleStates.then(paused, new RunEvent.AttemptStarted(2, "a2", "r", "t", true));
    RunState anew = SampleStates.then(paused, new RunEvent.AttemptStarted(2, "a2", "r", "t"));

    assertEquals(1, interactions(goesOn).outputs());
    assertEquals("before ", ((RunState.Existing) goesOn).facts().finalText());
    assertEquals(0, interactions(anew).outputs());
    assertTrue(((RunState.Existing) anew).facts().message().isEmpty());
  }

  @Test
  void namesARunInEveryActionId() {
    assertEquals(SampleStates.RUN.runId(), ActionId.runId(SampleStates.ACTION).orElseThrow());
    assertTrue(ActionId.runId("7").isEmpty());
    assertTrue(ActionId.runId(SampleStates.RUN.runId() + ".0").isEmpty());
  }

  @Test
  void boundsAQuestion() {
    ActionRequired asked =
        new Question(
                SampleStates.ACTION,
                ActionType.QUESTION,
                "?".repeat(5000),
                Question.answer("x".repeat(Limits.ACTION_JSON_BYTES_MAX)),
                List.of("c".repeat(300)),
                Integer.MAX_VALUE,
                Question.answer("kept"))
            .asked(SampleStates.START);

    assertEquals(4096, asked.prompt().getBytes(StandardCharsets.UTF_8).length);
    assertEquals("{\"dropped\":{\"reason\":\"oversize\"}}", String.valueOf(asked.schema()));
    assertEquals(
        Limits.CHOICE_BYTES_MAX,
        asked.choices().getFirst().getBytes(StandardCharsets.UTF_8).length);
    assertEquals(Limits.AWAIT_SECONDS_MAX, asked.timeoutSeconds());
    assertEquals(SampleStates.START.plusSeconds(Limits.AWAIT_SECONDS_MAX), asked.expiresAt());
    assertEquals("\"kept\"", String.valueOf(asked.payload()));
    assertEquals(
        Limits.AWAIT_SECONDS_DEFAULT,
        Question.of("a", ActionType.MESSAGE, "").asked(SampleStates.START).timeoutSeconds());
  }

  @Test
  void leavesTheWordsOfADecidedActionOutOfASnapshot() {
    Action pending = interactions(samples.asked()).actions().getFirst();
    Action decided =
        interactions(SampleStates.answered(samples.asked())).slim().actions().getFirst();

    assertEquals(pending, interactions(samples.asked()).slim().actions().getFirst());
    assertEquals("", decided.prompt());
    assertFalse(decided.pending());
  }

  private void check(RunCommand command, String table) {
    new StateTable(table).check(states, state -> RunRulesTest.outcome(state, command));
  }

  private static RunCommand answer(@Nullable JsonNode payload) {
    return new RunCommand.Resolve(
        SampleStates.ACTION, ActionDecision.ANSWER, payload, "somebody", IN_TIME);
  }

  private static RunCommand decide(ActionDecision decision, Instant now) {
    return new RunCommand.Resolve(SampleStates.ACTION, decision, null, "somebody", now);
  }

  private static RunCommand message(String id, String content) {
    return new RunCommand.Message(id, content, null);
  }

  private static RunEvent said(String id) {
    return new RunEvent.ChannelMessage(id, "hello", null);
  }

  private static Interactions interactions(RunState state) {
    return assertInstanceOf(RunState.Existing.class, state).facts().interactions();
  }
}
