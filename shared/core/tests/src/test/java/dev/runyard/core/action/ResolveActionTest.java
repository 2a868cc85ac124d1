package dev.runyard.core.action;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.application.UseCases;
import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.event.ActionType;
import dev.runyard.core.event.Requester;
import dev.runyard.core.ids.ActionId;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.interaction.Action;
import dev.runyard.core.interaction.Question;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.memory.MemoryEventLog;
import dev.runyard.core.memory.MemoryPorts;
import dev.runyard.core.memory.SettableClock;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class ResolveActionTest {
  private static final int WAIT_SECONDS = 60;
  private final SettableClock clock = new SettableClock(Instant.parse("2026-03-01T12:00:00Z"));
  private final Ids ids = new RandomIds(new Random(7));
  private final MemoryPorts ports = new MemoryPorts(new MemoryEventLog(), clock);
  private final UseCases cases = new UseCases(ports, clock, ids, "test");
  private final RunLog runs = cases.runs();
  private final ResolveAction actions = cases.resolveAction();
  private final RunKey run = new RunKey("default", ids.runId(clock.instant()));
  private final String action = ActionId.of(run, 1);

  @Test
  void isInTheLogOnceItIsTaken() {
    asked(List.of());

    Action decided =
        assertInstanceOf(
                ResolveAction.Result.Decided.class, answer(ActionDecision.ANSWER, text("left")))
            .action();

    Action.Resolution resolution = Objects.requireNonNull(decided.resolution());
    assertEquals(text("left"), resolution.payload());
    assertEquals("somebody", resolution.by());
    assertEquals(List.of(decided), state().facts().interactions().actions());
  }

  @Test
  void wakesTheRunnerThatWaitsForIt() {
    asked(List.of());
    assertEquals(Optional.empty(), ports.wakeups().last("runner"));

    answer(ActionDecision.ANSWER, text("left"));

    assertTrue(ports.wakeups().last("runner").isPresent());
  }

  @Test
  void countsTheFirstDecisionOnly() {
    asked(List.of());
    answer(ActionDecision.ANSWER, text("left"));

    Problem problem = rejected(answer(ActionDecision.ANSWER, text("right")));

    assertEquals(ProblemCode.ACTION_DECIDED, problem.code());
    Action first = state().facts().interactions().actions().getFirst();
    assertEquals(text("left"), Objects.requireNonNull(first.resolution()).payload());
  }

  @Test
  void isRefusedOnceItsTimeIsOver() {
    asked(List.of());
    clock.advance(Duration.ofSeconds(WAIT_SECONDS));

    Problem problem = rejected(answer(ActionDecision.ANSWER, text("left")));

    assertEquals(ProblemCode.ACTION_DECIDED, problem.code());
  }

  @Test
  void isRefusedWhereNothingWasAsked() {
    assertEquals(
        ProblemCode.ACTION_NOT_FOUND, rejected(answer(ActionDecision.APPROVE, null)).code());
    running();

    assertEquals(
        ProblemCode.ACTION_NOT_FOUND, rejected(answer(ActionDecision.APPROVE, null)).code());
  }

  @Test
  void namesTheMemberThatDoesNotFit() {
    asked(List.of("left", "right"));

    Problem decision = rejected(answer(ActionDecision.APPROVE, null));
    assertEquals(ProblemCode.INVALID_REQUEST, decision.code());
    assertEquals(List.of("/decision"), decision.pointers());
    assertEquals("This action cannot be decided with approve.", decision.detail());

    Problem payload = rejected(answer(ActionDecision.ANSWER, text("up")));
    assertEquals(ProblemCode.INVALID_REQUEST, payload.code());
    assertEquals(List.of("/payload"), payload.pointers());
  }

  @Test
  void isRefusedWhileTheRunIsCancelled() {
    asked(List.of());
    cases.cancelRun().cancel(run, "enough", "somebody");
    assertFalse(state().closed());

    Problem problem = rejected(answer(ActionDecision.ANSWER, text("left")));

    assertEquals(ProblemCode.RUN_CLOSED, problem.code());
    assertEquals("The run is being cancelled.", problem.detail());
  }

  private ResolveAction.Result answer(ActionDecision decision, @Nullable JsonNode payload) {
    return actions.resolve(run, action, decision, payload, Requester.of("somebody"));
  }

  private static Problem rejected(ResolveAction.Result result) {
    return assertInstanceOf(ResolveAction.Result.Rejected.class, result).problem();
  }

  private static JsonNode text(String answer) {
    return Question.answer(answer);
  }

  private RunState.Existing state() {
    return (RunState.Existing) runs.load(run);
  }

  private void running() {
    RunRequest request =
        new RunRequest(
            "echo",
            "hi",
            run.runId(),
            Map.of(),
            List.of(),
            null,
            600,
            Map.of(),
            Map.of(),
            RetryPolicy.NEVER);
    runs.execute(run, new RunCommand.Submit(request));
    runs.execute(run, new RunCommand.Claim("attempt-1", "runner", "ticket", clock.instant()));
  }

  private void asked(List<String> choices) {
    running();
    Question question =
        new Question(action, ActionType.QUESTION, "Which?", null, choices, WAIT_SECONDS, null);
    runs.execute(run, new RunCommand.Report("attempt-1", List.of(question.asked(clock.instant()))));
  }
}
