package dev.runyard.runner.backend;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.interaction.AgentInput;
import dev.runyard.core.interaction.Interactions;
import dev.runyard.core.interaction.Question;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.Attempt;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A conversation with an agent that is played line by line, without a process. JSON is written
/// with single quotes.
public record PlayedTalk(InteractiveProtocol dialect) {
  private static final RunKey RUN = new RunKey("acme", "01980000-0000-7000-8000-000000000001");
  private static final long DECIDED_SEQUENCE = 7;

  /// The context of an attempt that does not continue another.
  public static RunContext standing(Interactions interactions) {
    return standing(interactions, false);
  }

  public static RunContext standing(Interactions interactions, boolean continues) {
    return new RunContext(RUN, "session-1", List.of(), interactions, continues);
  }

  /// The interactions of a run whose only question was decided before.
  public static Interactions after(AgentInput.Decided decided) {
    return new Interactions(List.of(decided.action()), List.of(), null, 0, 1, 0);
  }

  public List<Effect> open() {
    return dialect.open();
  }

  public List<Effect> line(String line) {
    return dialect.line(quoted(line));
  }

  public List<Effect.Prompt> input(AgentInput input) {
    return dialect.input(input);
  }

  public List<Effect.Prompt> stop() {
    return dialect.stop();
  }

  /// Why it failed, if its process exits with 0.
  public Optional<Failure> failure() {
    return dialect.end(new Attempt.Exit(0, null), "").failure();
  }

  /// The decision of the question that a line asks.
  public AgentInput.Decided decided(String line, ActionDecision decision) {
    return decided(question(line(line)), decision, null);
  }

  public static AgentInput.Decided decided(
      Question question, ActionDecision decision, @Nullable String text) {
    return Talking.decided(question, decision, text, DECIDED_SEQUENCE);
  }

  /// The first question.
  public static Question question(List<Effect> moves) {
    return assertInstanceOf(Effect.Ask.class, moves.getFirst()).question();
  }

  /// The lines that are written.
  public static List<JsonNode> written(List<? extends Effect> moves)
      throws JsonProcessingException {
    List<JsonNode> lines = new ArrayList<>();
    for (Effect move : moves) {
      if (move instanceof Effect.Write write) {
        lines.add(JsonFormat.JSON.readTree(write.line()));
      }
    }
    return lines;
  }

  /// The events that are reported.
  public static List<RunEvent> told(List<Effect> moves) {
    return moves.stream()
        .filter(Effect.Tell.class::isInstance)
        .map(move -> ((Effect.Tell) move).event())
        .toList();
  }

  public static JsonNode json(String text) throws JsonProcessingException {
    return JsonFormat.JSON.readTree(quoted(text));
  }

  public static String quoted(String text) {
    return text.replace('\'', '"');
  }
}
