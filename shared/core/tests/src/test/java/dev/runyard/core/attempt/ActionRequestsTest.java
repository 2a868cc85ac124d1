package dev.runyard.core.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.runyard.core.event.ActionRequired;
import dev.runyard.core.event.ActionType;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.event.TaskWaiting;
import dev.runyard.core.ids.ActionId;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.interaction.Question;
import dev.runyard.core.limits.Bounds;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.run.RunFacts;
import dev.runyard.core.run.RunFold;
import dev.runyard.core.run.RunState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// How long a person may take to answer.
class ActionRequestsTest {
  private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");
  private static final RunKey RUN = new RunKey("acme", "019c0000-0000-7000-8000-000000000001");
  private static final Duration LIFE = Duration.ofDays(8);
  private static final Duration LONGEST = Duration.ofSeconds(Limits.AWAIT_SECONDS_MAX);

  @Test
  void waitsAsLongAsTheAgentSays() {
    assertEquals(LONGEST, waits(asked(START, Limits.AWAIT_SECONDS_MAX)));
    assertEquals(LONGEST, waits(asked(START, Integer.MAX_VALUE)));
    assertEquals(Duration.ofSeconds(60), waits(asked(START, 60)));
    assertEquals(Duration.ofSeconds(Limits.AWAIT_SECONDS_DEFAULT), waits(asked(START, 0)));
  }

  @Test
  void waitsNoLongerThanTheRunLives() {
    Instant end = START.plus(LIFE);

    assertEquals(LONGEST, waits(asked(end.minus(LONGEST), Limits.AWAIT_SECONDS_MAX)));
    List<RunEvent> later = asked(end.minus(LONGEST).plusSeconds(5), Limits.AWAIT_SECONDS_MAX);
    assertEquals(LONGEST.minusSeconds(5), waits(later));
    assertEquals(end, required(later).expiresAt());
    assertInstanceOf(TaskWaiting.class, later.getLast());
    assertEquals(Duration.ofSeconds(1), waits(asked(end.minusSeconds(1), 60)));
  }

  @Test
  void isRefusedOnceTheRunWaitsForNothingAnyMore() {
    for (long late : List.of(0L, 1L, 3600L)) {
      List<RunEvent> events = asked(START.plus(LIFE).plusSeconds(late), 60);

      assertEquals(Duration.ZERO, waits(events));
      assertEquals(
          ActionRequests.BY_LIMIT,
          assertInstanceOf(RunEvent.ActionResolved.class, events.getLast()).by());
    }
  }

  @Test
  void waitsAgainAndAgainWhereTheLogKeepsEverything() {
    List<RunEvent> events =
        new ActionRequests()
            .ask(question(Limits.AWAIT_SECONDS_MAX), facts(null), true, START.plus(LIFE));

    assertEquals(LONGEST, waits(events));
  }

  /// The state of the run keeps every action, so one of very many must be small.
  @Test
  void isToldByItsBeginningAloneWhereTooMuchIsAsked() {
    ActionRequests requests = new ActionRequests();
    String text = "x".repeat(Limits.CHOICE_BYTES_MAX);
    for (int i = 1; i <= Limits.ACTIONS_MAX; i++) {
      assertEquals(List.of(text), required(requests, i, text).choices());
    }

    ActionRequired last = required(requests, Limits.ACTIONS_MAX + 1, text);

    assertEquals(List.of(), last.choices());
    assertEquals(Bounds.CHANNEL_BYTES_MAX, Bounds.bytes(last.prompt()));
  }

  private static ActionRequired required(ActionRequests requests, int number, String text) {
    Question question =
        new Question(
            ActionId.of(RUN, number), ActionType.QUESTION, text, null, List.of(text), 0, null);
    return required(requests.ask(question, facts(null), true, START));
  }

  private static List<RunEvent> asked(Instant now, int seconds) {
    return new ActionRequests().ask(question(seconds), facts((int) LIFE.toSeconds()), true, now);
  }

  private static Question question(int seconds) {
    return new Question(
        ActionId.of(RUN, 1), ActionType.QUESTION, "Which?", null, List.of(), seconds, null);
  }

  private static Duration waits(List<RunEvent> events) {
    return Duration.ofSeconds(required(events).timeoutSeconds());
  }

  private static ActionRequired required(List<RunEvent> events) {
    return assertInstanceOf(ActionRequired.class, events.getFirst());
  }

  private static RunFacts facts(@Nullable Integer lifeSeconds) {
    RunEvent created =
        new RunEvent.TaskCreated(
            "echo",
            Map.of(),
            List.of(),
            null,
            60,
            Map.of(),
            Map.of(),
            RetryPolicy.NEVER,
            null,
            null,
            null,
            null,
            null,
            lifeSeconds);
    StoredEvent first = new StoredEvent(RUN, "session-1", null, 1, START, created);
    return assertInstanceOf(RunState.Existing.class, RunFold.evolve(RunState.absent(), first))
        .facts();
  }
}
