package dev.runyard.core.interaction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.event.ActionRequired;
import dev.runyard.core.event.ActionType;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class InteractionsTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final RunKey RUN = new RunKey("acme", "019c0000-0000-7000-8000-000000000001");
  private long sequence = 3;

  @Test
  void knowsItsActionsAndMessagesById() {
    Interactions both = asked(asked(Interactions.EMPTY, "a-1"), "a-2");
    Interactions told = said(said(both, "m-1"), "m-2");

    assertEquals("a-2", told.action("a-2").orElseThrow().actionId());
    assertEquals("m-2", told.message("m-2").orElseThrow().messageId());
    assertEquals(Optional.empty(), told.action("a-3"));
    assertEquals(Optional.empty(), told.message("m-3"));
  }

  @Test
  void repeatsAnswersInTheOrderInWhichTheAgentTookThem() {
    Interactions both = asked(asked(asked(Interactions.EMPTY, "a-1"), "a-2"), "a-3");
    Interactions decided = decided(decided(both, "a-1"), "a-2");
    Interactions taken = taken(taken(decided, "a-2"), "a-1");

    assertEquals(List.of("a-2", "a-1"), taken.answers().stream().map(Action::actionId).toList());
    assertEquals(List.of("a-3"), taken.pending().stream().map(Action::actionId).toList());
  }

  @Test
  void anAnswerIsTakenOnce() {
    Interactions taken = taken(decided(asked(Interactions.EMPTY, "a-1"), "a-1"), "a-1");
    long at = taken.actions().getFirst().takenAt();

    assertEquals(at, taken(taken, "a-1").actions().getFirst().takenAt());
    assertFalse(taken.holds());
  }

  @Test
  void aMessageIsTakenOnce() {
    Interactions told = said(Interactions.EMPTY, "m-1");
    Interactions taken = told.taken(new RunEvent.ProcessInput("p", "m-1", null, null), 9);
    Interactions again = taken.taken(new RunEvent.ProcessInput("p", "m-1", null, "no"), 12);

    assertEquals(9, again.inbox().getFirst().takenAt());
    assertNull(again.inbox().getFirst().refused());
    assertEquals(List.of(), again.undelivered());
  }

  @Test
  void onlyTheFirstDecisionCounts() {
    Interactions decided = decided(asked(Interactions.EMPTY, "a-1"), "a-1");
    Interactions again =
        decided.resolved(
            new RunEvent.ActionResolved("a-1", ActionDecision.DENY, null, "other"),
            stored(new RunEvent.RunStatus("running"), 50));

    assertEquals(decided.actions(), again.actions());
    assertEquals(decided.waitedMillis(), again.waitedMillis());
  }

  @Test
  void waitsUntilTheLastOfItsActionsIsDecided() {
    Interactions both = asked(asked(Interactions.EMPTY, "a-1"), "a-2");
    Interactions one = decided(both, "a-1", 10);
    assertTrue(one.awaiting());
    assertEquals(0, one.waitedMillis());

    Interactions none = decided(one, "a-2", 25);

    assertFalse(none.awaiting());
    assertEquals(25_000, none.waitedMillis());
    assertTrue(none.holds(), "the agent has not taken them");
  }

  /// Clocks of two machines may differ.
  @Test
  void neverWaitedForLessThanNoTime() {
    Interactions asked = asked(Interactions.EMPTY, "a-1");
    Interactions decided = decided(asked, "a-1", -5);

    assertEquals(0, decided.waitedMillis());
    assertEquals(0, decided.attempt(true, NOW.minusSeconds(60), NOW).waitedMillis());
  }

  @Test
  void aContinuationDoesNotCountTheTimeSinceTheLastDecision() {
    Interactions both = asked(asked(Interactions.EMPTY, "a-1"), "a-2");
    Interactions decided = decided(decided(both, "a-1", 10), "a-2", 25);

    Instant waits = decided.waitsSince(null, NOW);
    Interactions next = decided.attempt(true, NOW.plusSeconds(32), waits);

    assertEquals(32_000, next.waitedMillis());
    assertEquals(1, next.continuations());
    assertEquals(25_000, decided.attempt(false, NOW.plusSeconds(32), waits).waitedMillis());
    assertEquals(0, Interactions.EMPTY.attempt(true, NOW, null).waitedMillis());
  }

  @Test
  void aRunWaitsToBeContinuedSinceTheLastOfWhatKeptItWaiting() {
    Interactions decided = decided(asked(Interactions.EMPTY, "a-1"), "a-1", 10);

    assertEquals(NOW.plusSeconds(10), decided.waitsSince(NOW.plusSeconds(5), NOW.plusSeconds(7)));
    assertEquals(NOW.plusSeconds(15), decided.waitsSince(NOW.plusSeconds(15), null));
    assertEquals(NOW.plusSeconds(20), decided.waitsSince(null, NOW.plusSeconds(20)));
    assertNull(Interactions.EMPTY.waitsSince(null, NOW));
  }

  @Test
  void namesTheActionWhoseTimeEndsFirst() {
    Interactions both =
        Interactions.EMPTY
            .required(required("late", 60), stored(new RunEvent.RunStatus("x"), 0))
            .required(required("soon", 30), stored(new RunEvent.RunStatus("x"), 0));

    assertEquals("soon", both.firstToExpire().orElseThrow().actionId());
  }

  @Test
  void aListShowsTheFirstActionThatWaits() {
    Interactions three = asked(asked(asked(Interactions.EMPTY, "a-1"), "a-2"), "a-3");
    Interactions brief = said(decided(three, "a-1"), "m-1").brief();

    assertEquals(List.of("a-2"), brief.actions().stream().map(Action::actionId).toList());
    assertEquals(List.of(), brief.inbox());
    assertTrue(brief.awaiting());
  }

  @Test
  void aSnapshotIsMadeWholeAgain() {
    Interactions asked = asked(asked(Interactions.EMPTY, "a-1"), "a-2");
    Interactions full = said(decided(asked, "a-1"), "m-1");
    Interactions slim = full.slim();
    assertEquals("", slim.actions().getFirst().prompt());
    assertEquals("", slim.inbox().getFirst().content());

    Interactions whole =
        slim.whole(
            List.of(
                slim.actions().get(0).whole(required("a-1", 600), Question.answer("left")),
                slim.actions().get(1).whole(required("a-2", 600), null)),
            List.of(slim.inbox().getFirst().whole("hello")));

    assertEquals(full, whole);
  }

  @Test
  void anUndecidedInputComesLast() {
    Action pending = asked(Interactions.EMPTY, "a-1").actions().getFirst();
    Action decided = decided(asked(Interactions.EMPTY, "a-1"), "a-1").actions().getFirst();

    assertEquals(Long.MAX_VALUE, new AgentInput.Decided(pending).sequence());
    assertEquals(sequence - 1, new AgentInput.Decided(decided).sequence());
  }

  private Interactions asked(Interactions before, String id) {
    return before.required(required(id, 600), stored(new RunEvent.RunStatus("x"), 0));
  }

  private static ActionRequired required(String id, int seconds) {
    return new ActionRequired(
        id,
        ActionType.QUESTION,
        "Which?",
        null,
        List.of(),
        seconds,
        NOW.plusSeconds(seconds),
        null);
  }

  private Interactions decided(Interactions before, String id) {
    return decided(before, id, 0);
  }

  private Interactions decided(Interactions before, String id, int afterSeconds) {
    RunEvent.ActionResolved resolved =
        new RunEvent.ActionResolved(id, ActionDecision.ANSWER, Question.answer("left"), "me");
    return before.resolved(resolved, stored(resolved, afterSeconds));
  }

  private Interactions taken(Interactions before, String id) {
    return before.taken(new RunEvent.ProcessInput("p", null, id, null), sequence++);
  }

  private Interactions said(Interactions before, String id) {
    RunEvent.ChannelMessage message = new RunEvent.ChannelMessage(id, "hello", null);
    return before.accepted(message, stored(message, 0));
  }

  private StoredEvent stored(RunEvent event, int afterSeconds) {
    return new StoredEvent(
        RUN, "session-1", null, sequence++, NOW.plusSeconds(afterSeconds), event);
  }
}
