package dev.runyard.runner.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.event.ActionRequired;
import dev.runyard.core.event.ActionType;
import dev.runyard.core.ids.ActionId;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.interaction.Action;
import dev.runyard.core.interaction.AgentInput;
import dev.runyard.core.interaction.Interactions;
import dev.runyard.core.interaction.Question;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class CliQuestionsTest {
  private static final RunKey RUN = new RunKey("acme", "01980000-0000-7000-8000-000000000001");

  private final CliQuestions<String> questions = questions(List.of(), false);

  @Test
  void numbersWhatIsAskedBehindTheRunsLastAction() {
    Question first = asked(questions.ask("r-1", ask("touch a")));
    Question second = asked(questions.ask("r-2", ask("touch a")));

    assertEquals(ActionId.of(RUN, 1), first.actionId());
    assertEquals(ActionId.of(RUN, 2), second.actionId());
    assertEquals(
        Optional.of("r-2"),
        questions.decided(Talking.decided(second, ActionDecision.DENY, null, 5)));
    assertTrue(questions.waits());
    assertEquals(
        Optional.of("r-1"),
        questions.decided(Talking.decided(first, ActionDecision.APPROVE, null, 6)));
    assertFalse(questions.waits());
  }

  @Test
  void distinguishesQuestionsByToolAndInput() {
    assertNotEquals(print(ask("touch a")), print(ask("touch b")));
    assertEquals(print(ask("touch a")), print(ask("touch a")));
  }

  @Test
  void keepsThePrintOfAnInputThatIsTooLongToShow() {
    String print = print(ask("x".repeat(20_000)));

    assertEquals(32, print.length());
  }

  @Test
  void doesNotAskAgainWhatWasDecidedInTheMeantime() {
    AgentInput.Decided decided = decided(ActionDecision.APPROVE);
    CliQuestions<String> resumed = questions(List.of(decided.action()), true);

    assertEquals(Optional.empty(), resumed.decided(decided));
    assertEquals(new CliQuestions.Reply.Decided(decided), resumed.ask("r-9", ask("touch a")));
  }

  @Test
  void doesNotAskAgainWhatIsStillUndecided() {
    Question before = asked(questions.ask("r-1", ask("touch a")));
    Action pending = Action.of(before.asked(Instant.EPOCH), Instant.EPOCH, 1);
    CliQuestions<String> resumed = questions(List.of(pending), true);

    assertEquals(new CliQuestions.Reply.Waits(List.of()), resumed.ask("r-9", ask("touch a")));
    assertEquals(
        Optional.of("r-9"),
        resumed.decided(Talking.decided(before, ActionDecision.APPROVE, null, 9)));
  }

  @Test
  void usesADecisionOnce() {
    AgentInput.Decided decided = decided(ActionDecision.APPROVE);
    CliQuestions<String> resumed = questions(List.of(decided.action()), true);
    resumed.decided(decided);
    resumed.ask("r-9", ask("touch a"));

    assertEquals(ActionId.of(RUN, 2), asked(resumed.ask("r-10", ask("touch a"))).actionId());
  }

  @Test
  void asksAgainWhatWasPermittedAndDoneBefore() {
    CliQuestions<String> resumed =
        questions(List.of(decided(ActionDecision.APPROVE).action().taken(7)), true);

    assertEquals(ActionId.of(RUN, 2), asked(resumed.ask("r-9", ask("touch a"))).actionId());
  }

  @Test
  void handsBackDecisionsNobodyAskedForAgain() {
    AgentInput.Decided decided = decided(ActionDecision.DENY);
    CliQuestions<String> resumed = questions(List.of(decided.action()), true);
    resumed.decided(decided);
    resumed.ask("r-9", ask("touch b"));

    assertEquals(List.of(decided), resumed.leftOver());
    assertEquals(List.of(), resumed.leftOver());
  }

  private AgentInput.Decided decided(ActionDecision decision) {
    return Talking.decided(asked(questions.ask("r-1", ask("touch a"))), decision, null, 5);
  }

  private static CliQuestions<String> questions(List<Action> actions, boolean continuation) {
    return new CliQuestions<>(
        new RunContext(
            RUN,
            "session-1",
            List.of(),
            new Interactions(actions, List.of(), null, 0, 0, 0),
            continuation));
  }

  private static CliQuestions.Ask ask(String command) {
    return new CliQuestions.Ask(
        ActionType.PERMISSION,
        "May it?",
        List.of(),
        "Bash",
        JsonNodeFactory.instance.objectNode().put("command", command),
        "call-1");
  }

  private static Question asked(CliQuestions.Reply reply) {
    CliQuestions.Reply.Waits waits = assertInstanceOf(CliQuestions.Reply.Waits.class, reply);
    return assertInstanceOf(Effect.Ask.class, waits.moves().getFirst()).question();
  }

  private static String print(CliQuestions.Ask ask) {
    Question question = asked(questions(List.of(), false).ask("r", ask));
    ActionRequired required = question.asked(Instant.EPOCH);
    return required.payload() == null ? "" : required.payload().path("print").asText();
  }
}
