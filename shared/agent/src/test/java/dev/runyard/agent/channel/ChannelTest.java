package dev.runyard.agent.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.event.ActionType;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.interaction.Action;
import dev.runyard.core.interaction.AgentInput;
import dev.runyard.core.interaction.InboxMessage;
import dev.runyard.core.interaction.Interactions;
import dev.runyard.core.interaction.Question;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.message.Message;
import dev.runyard.core.message.OutputHead;
import dev.runyard.core.message.OutputPart;
import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.view.HubView;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ChannelTest {
  private static final RunKey RUN = new RunKey("acme", "01980000-0000-7000-8000-000000000001");
  private static final Instant AT = Instant.parse("2026-01-02T03:04:05.678Z");
  private static final InboxMessage SAID =
      new InboxMessage(7, AT, "m-1", "one \u00e9 \ud83d\ude00 \ud83d", "print", null, 0, null);
  private static final Action DECIDED =
      new Action(
          RUN.runId() + ".1",
          ActionType.QUESTION,
          "Well?",
          null,
          List.of("yes"),
          null,
          AT,
          AT,
          new Action.Resolution(9, AT, ActionDecision.ANSWER, Question.answer("yes"), "ada"),
          0,
          5,
          "call-1");

  static Stream<ToAgent> toAgent() {
    return Stream.of(
        new ToAgent.Start("a", "x.A", RUN, "t-1", "s", "go\n", List.of(), Interactions.EMPTY),
        new ToAgent.Start(
            "a",
            "x.A",
            RUN,
            "t-1",
            "s",
            "go",
            List.of(Message.text("user", "go")),
            new Interactions(List.of(DECIDED), List.of(SAID), AT, 1, 2, 3)),
        new ToAgent.Input(new AgentInput.Said(SAID)),
        new ToAgent.Input(new AgentInput.Decided(DECIDED)),
        new ToAgent.History(List.of(Message.text("user", "before"))),
        new ToAgent.NoHistory(),
        new ToAgent.Stop());
  }

  @ParameterizedTest
  @MethodSource
  void toAgent(ToAgent message) {
    String line = ToAgentJson.write(message);

    assertTrue(line.chars().allMatch(c -> c >= ' ' && c < 127), line);
    assertEquals(message, ToAgentJson.read(line));
  }

  static Stream<FromAgent> fromAgent() {
    return Stream.concat(
        events().map(FromAgent.Told::new),
        Stream.of(
            new FromAgent.Started(),
            new FromAgent.Asked(
                new Question(
                    RUN.runId() + ".1", ActionType.QUESTION, "?", null, List.of("a"), 5, null)),
            new FromAgent.Took(7),
            new FromAgent.Refused(8),
            new FromAgent.HistoryWanted(),
            new FromAgent.Ended(Optional.empty()),
            new FromAgent.Ended(Optional.of(Failure.backend("agent_failed", "It failed.")))));
  }

  private static Stream<RunEvent> events() {
    return Stream.of(
        new RunEvent.ModelDelta("one \u00e9 \ud83d\ude00 \ud83d \u0000\n"),
        new RunEvent.ModelDelta(
            "x",
            new OutputPart(
                "image/png", null, "base64", "i", null, true, new OutputHead("agent", null, null))),
        new RunEvent.ModelCompleted(),
        new RunEvent.ModelCompleted(new OutputHead("agent/a", "then", null)),
        new RunEvent.ReasoningDelta("hm"),
        new RunEvent.ToolStarted("t", "search", "other", null),
        new RunEvent.ToolStarted("t", "search", "other", "cats"),
        new RunEvent.ToolResult("t", "search", "other", null, "3", 1),
        new RunEvent.ToolFailed("t", "search", "other", null, "no", 2),
        new RunEvent.RuntimeWarning("w", "Warned."),
        new RunEvent.OutputTruncated("event", 5, 4),
        new RunEvent.ChannelMessage("m", "note", "agent"),
        new RunEvent.Other(HubView.KEPT, JsonNodeFactory.instance.objectNode().put("a", 1)));
  }

  @ParameterizedTest
  @MethodSource
  void fromAgent(FromAgent message) {
    String line = FromAgentJson.write(message);

    assertTrue(line.chars().allMatch(c -> c >= ' ' && c < 127), line);
    assertEquals(new Channel.Read.Whole(message), new Channel.Lines().add(line));
  }

  @Test
  void cutsAndJoinsWhatIsLongerThanALine() {
    FromAgent long3 =
        new FromAgent.Told(new RunEvent.ReasoningDelta("x".repeat(2 * Channel.LINE_BYTES_MAX)));
    List<String> lines = Channel.lines(FromAgentJson.write(long3));
    Channel.Lines joined = new Channel.Lines();

    assertEquals(3, lines.size());
    assertTrue(lines.stream().allMatch(line -> line.length() <= Channel.LINE_BYTES_MAX));
    assertInstanceOf(Channel.Read.Unfinished.class, joined.add(lines.get(0)));
    assertInstanceOf(Channel.Read.Unfinished.class, joined.add(lines.get(1)));
    assertEquals(new Channel.Read.Whole(long3), joined.add(lines.get(2)));
    assertEquals(new Channel.Read.Whole(new FromAgent.Started()), joined.add("{\"started\":{}}"));
  }

  @Test
  void endsAMessageThatDoesNotEnd() {
    Channel.Lines lines = new Channel.Lines();
    String more = Channel.MORE + "x".repeat(Channel.LINE_BYTES_MAX - 1);
    Channel.Read read = new Channel.Read.Unfinished();
    for (int i = 0; i <= Channel.MESSAGE_BYTES_MAX / Channel.LINE_BYTES_MAX + 1; i++) {
      read = lines.add(more);
    }

    assertInstanceOf(Channel.Read.Broken.class, read);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "no json",
        "[]",
        "{}",
        "null",
        "{\"started\":{},\"took\":1}",
        "{\"finished\":{}}",
        "{\"took\":\"x\"}",
        "{\"took\":1.5}",
        "{\"told\":{}}",
        "{\"told\":{\"type\":\"task.completed\"}}",
        "{\"told\":{\"type\":\"said\"}}",
        "{\"told\":{\"type\":\"tool_started\",\"id\":\"x\"}}",
        "{\"told\":{\"type\":\"sent\",\"id\":\"x\"}}",
        "{\"asked\":{}}",
        "{\"ended\":{\"failure\":{}}}",
        "{\"ended\":{\"failure\":{\"code\":\"x\",\"category\":\"INTERNAL\",\"message\":\"m\"}}}",
      })
  void acceptsNothingElse(String line) {
    assertInstanceOf(Channel.Read.Broken.class, new Channel.Lines().add(line));
  }

  @Test
  void acceptsNoMessageToItselfThatIsTooLong() {
    String line =
        FromAgentJson.write(
            new FromAgent.Told(
                new RunEvent.ChannelMessage(
                    "m", "x".repeat(Limits.MESSAGE_CONTENT_BYTES_MAX + 1), "agent")));

    assertInstanceOf(Channel.Read.Broken.class, new Channel.Lines().add(line));
  }

  /// Its tree would take many times the memory of its text.
  @Test
  void acceptsNoMessageOfVeryManyValues() {
    String many = "{},".repeat(FromAgentJson.TOKENS_MAX / 2);
    String line = "{\"told\":{\"type\":\"said\",\"text\":\"hi\",\"more\":[%s{}]}}";

    assertInstanceOf(Channel.Read.Whole.class, new Channel.Lines().add(line.formatted("{},{},")));
    assertInstanceOf(Channel.Read.Broken.class, new Channel.Lines().add(line.formatted(many)));
  }

  @Test
  void hasNoFormForWhatNoAgentCauses() {
    FromAgent forged = new FromAgent.Told(new RunEvent.TaskCompleted());
    FromAgent internal = new FromAgent.Ended(Optional.of(new Failure("x", Category.INTERNAL, "m")));

    assertThrows(IllegalArgumentException.class, () -> FromAgentJson.write(forged));
    assertInstanceOf(
        Channel.Read.Broken.class, new Channel.Lines().add(FromAgentJson.write(internal)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "{}", "{\"go\":{}}", "{\"start\":{}}"})
  void aRunnerWritesNothingElse(String line) {
    assertThrows(IllegalArgumentException.class, () -> ToAgentJson.read(line));
  }
}
