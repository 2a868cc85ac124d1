package dev.runyard.runner.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
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
import dev.runyard.core.limits.Bounds;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class CliQuestionsTest {
  private static final RunKey RUN = new RunKey("acme", "01980000-0000-7000-8000-000000000001");

  private record Said(String text) implements CliQuestions.Request {
    @Override
    public int chars() {
      return text.length();
    }
  }

  private final CliQuestions<Said> questions = questions(List.of(), false);

  @Test
  void numbersWhatIsAskedBehindTheRunsLastAction() {
    Question first = asked(questions.ask(new Said("r-1"), ask("touch a")));
    Question second = asked(questions.ask(new Said("r-2"), ask("touch a")));

    assertEquals(ActionId.of(RUN, 1), first.actionId());
    assertEquals(ActionId.of(RUN, 2), second.actionId());
    assertEquals(
        Optional.of(new Said("r-2")),
        questions.decided(Talking.decided(second, ActionDecision.DENY, null, 5)));
    assertTrue(questions.waits());
    assertEquals(
        Optional.of(new Said("r-1")),
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
  void keepsThePrintOfAnInputThatIsTooDeepToBeStored() {
    JsonNode deep = JsonNodeFactory.instance.arrayNode();
    for (int level = 0; level < Bounds.DATA_DEPTH_MAX; level++) {
      deep = JsonNodeFactory.instance.arrayNode().add(deep);
    }
    Question question =
        asked(
            questions.ask(
                new Said("r-1"),
                new CliQuestions.Ask(ActionType.PERMISSION, "?", List.of(), "Bash", deep, "c-1")));

    JsonNode payload = Objects.requireNonNull(question.cut().payload());
    assertTrue(payload.at("/input/dropped").isObject());
    assertEquals(32, payload.path("print").asText().length());
  }

  @Test
  void doesNotAskAgainWhatWasDecidedInTheMeantime() {
    AgentInput.Decided decided = decided(ActionDecision.APPROVE);
    CliQuestions<Said> resumed = questions(List.of(decided.action()), true);

    assertEquals(Optional.empty(), resumed.decided(decided));
    assertEquals(
        new CliQuestions.Reply.Decided(decided), resumed.ask(new Said("r-9"), ask("touch a")));
  }

  @Test
  void doesNotAskAgainWhatIsStillUndecided() {
    Question before = asked(questions.ask(new Said("r-1"), ask("touch a")));
    Action pending = Action.of(before.asked(Instant.EPOCH), Instant.EPOCH, 1);
    CliQuestions<Said> resumed = questions(List.of(pending), true);

    assertEquals(
        new CliQuestions.Reply.Waits(List.of()), resumed.ask(new Said("r-9"), ask("touch a")));
    assertEquals(
        Optional.of(new Said("r-9")),
        resumed.decided(Talking.decided(before, ActionDecision.APPROVE, null, 9)));
  }

  @Test
  void usesADecisionOnce() {
    AgentInput.Decided decided = decided(ActionDecision.APPROVE);
    CliQuestions<Said> resumed = questions(List.of(decided.action()), true);
    resumed.decided(decided);
    resumed.ask(new Said("r-9"), ask("touch a"));

    assertEquals(
        ActionId.of(RUN, 2), asked(resumed.ask(new Said("r-10"), ask("touch a"))).actionId());
  }

  @Test
  void asksAgainWhatWasPermittedAndDoneBefore() {
    CliQuestions<Said> resumed =
        questions(List.of(decided(ActionDecision.APPROVE).action().taken(7)), true);

    assertEquals(
        ActionId.of(RUN, 2), asked(resumed.ask(new Said("r-9"), ask("touch a"))).actionId());
  }

  @Test
  void handsBackDecisionsNobodyAskedForAgain() {
    AgentInput.Decided decided = decided(ActionDecision.DENY);
    CliQuestions<Said> resumed = questions(List.of(decided.action()), true);
    resumed.decided(decided);
    resumed.ask(new Said("r-9"), ask("touch b"));

    assertEquals(List.of(decided), resumed.leftOver());
    assertEquals(List.of(), resumed.leftOver());
  }

  @Test
  void letsNoMoreWaitThanThereIsRoomFor() {
    Question first = asked(questions.ask(new Said("r-1"), ask("touch a")));
    for (int i = 2; i <= CliQuestions.WAITING_MAX; i++) {
      asked(questions.ask(new Said("r-" + i), ask("touch " + i)));
    }

    assertEquals(new CliQuestions.Reply.Full(), questions.ask(new Said("r"), ask("touch b")));
    questions.decided(Talking.decided(first, ActionDecision.DENY, null, 5));
    asked(questions.ask(new Said("r"), ask("touch b")));
  }

  @Test
  void letsOneWaitHoweverLongButNotTwo() {
    Said large = new Said("x".repeat(CliQuestions.WAITING_CHARS_MAX + 1));
    asked(questions.ask(large, ask("touch a")));

    assertEquals(new CliQuestions.Reply.Full(), questions.ask(new Said("r"), ask("touch b")));
  }

  @Test
  void areCutBeforeTheyWaitToBeTaken() {
    String text = "x".repeat(2 * Bounds.DATA_BYTES_MAX);
    Question cut =
        EventShaper.bare()
            .of(
                new Question(
                    "run.1",
                    ActionType.PERMISSION,
                    text,
                    null,
                    Collections.nCopies(1_000, text),
                    0,
                    JsonNodeFactory.instance.textNode(text),
                    text));

    assertTrue(HeldText.of(cut).chars() < Bounds.DATA_BYTES_MAX, cut::toString);
    assertEquals(cut.asked(Instant.EPOCH), cut.cut().asked(Instant.EPOCH));
  }

  private AgentInput.Decided decided(ActionDecision decision) {
    return Talking.decided(
        asked(questions.ask(new Said("r-1"), ask("touch a"))), decision, null, 5);
  }

  private static CliQuestions<Said> questions(List<Action> actions, boolean continuation) {
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
    Question question = asked(questions(List.of(), false).ask(new Said("r"), ask));
    ActionRequired required = question.asked(Instant.EPOCH);
    return required.payload() == null ? "" : required.payload().path("print").asText();
  }
}
