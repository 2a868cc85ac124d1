package dev.runyard.runner.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.attempt.AgentSignal;
import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.event.ActionType;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.interaction.AgentInput;
import dev.runyard.core.interaction.Question;
import dev.runyard.core.run.Attempt;
import dev.runyard.runner.process.AgentCommand;
import dev.runyard.runner.process.LineWriter;
import dev.runyard.runner.process.RunMark;
import dev.runyard.runner.process.Stdin;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// An interactive CLI, here a shell that reads and prints lines.
final class TalkTest {
  @TempDir private Path directory;
  private final Words dialect = new Words();
  private final List<AgentRun> started = new ArrayList<>();

  @AfterEach
  void leavesNothingBehind() {
    started.forEach(AgentRun::stop);
  }

  @Test
  void asksAPersonAndHandsOverTheDecision() {
    Talking agent = start("read hello; echo ask; read answer; echo \"$answer\"; echo bye; read x");

    Question question = agent.asked();
    AgentInput.Decided decided = agent.decide(question, ActionDecision.APPROVE, null);
    Talking.Heard heard = agent.end();

    assertEquals("may I?", question.prompt());
    assertEquals("approve", heard.text());
    assertEquals(
        List.of(new AgentSignal.Took(decided, Optional.empty()), output("approve")),
        heard.signals().subList(0, 2));
    assertEquals(Optional.empty(), heard.end().failure());
  }

  @Test
  void handsOverAMessageWhileTheAgentWorks() {
    Talking agent = start("read hello; echo \"$hello\"; read said; echo \"$said\"; echo bye; read");
    agent.untilText("hello");

    AgentInput.Said said = agent.say("faster");

    assertEquals(new AgentSignal.Took(said, Optional.empty()), agent.took());
    assertEquals("hellofaster", agent.end().text());
  }

  @Test
  void endsAnAgentThatStaysAfterItsInputEnded() {
    Talking agent = start("read hello; echo bye; sleep 300");

    assertEquals(Optional.of(new Attempt.Exit(null, 15)), agent.end().end().exit());
  }

  /// It heeds no signal, which may come before a slow machine has let it answer.
  @Test
  void asksPolitelyBeforeItSignals() {
    Talking agent =
        start("trap '' TERM; read hello; echo \"$hello\"; read last; echo \"$last\"; exit 7");
    agent.untilText("hello");

    agent.run().stop();

    Talking.Heard heard = agent.end();
    assertEquals("hellostop", heard.text());
    assertEquals(Optional.of(new Attempt.Exit(7, null)), heard.end().exit());
  }

  @Test
  void signalsAnAgentThatIgnoresTheRequest() {
    Talking agent = start("read hello; echo \"$hello\"; sleep 1000000");
    agent.untilText("hello");

    agent.run().stop();

    assertEquals(Optional.of(new Attempt.Exit(null, 15)), agent.end().end().exit());
  }

  @Test
  void neverWaitsForAnAgentThatDoesNotRead() {
    Talking agent = start("echo ready; sleep 300");
    agent.untilText("ready");
    String much = "x".repeat(LineWriter.WAITING_BYTES_MAX / 4);
    for (int i = 0; i < 4; i++) {
      agent.say(much);
      assertEquals(Optional.empty(), agent.took().refused());
    }

    agent.say("one more");

    assertTrue(agent.took().refused().isPresent());
  }

  @Test
  void givesUpAnAgentThatDoesNotReadADecision() {
    Talking agent = start("echo ask; sleep 300");
    Question question = agent.asked();
    String much = "x".repeat(LineWriter.WAITING_BYTES_MAX + 1);
    agent.say(much);

    agent.decide(question, ActionDecision.DENY, null);

    assertEquals(Optional.of(CliRun.NOT_READING), agent.end().end().failure());
  }

  @Test
  void leavesWhatComesAfterTheEndToTheNextAttempt() {
    Talking agent = start("read hello; echo bye; read x");
    Talking.Heard heard = agent.end();

    agent.say("too late");

    assertEquals(Optional.empty(), heard.end().failure());
    assertEquals(List.of(), agent.run().take(1));
  }

  private static AgentSignal output(String text) {
    return new AgentSignal.Output(new RunEvent.ModelDelta(text));
  }

  private Talking start(String script) {
    AgentRun run =
        CliRun.start(
            Requests.context(directory),
            new AgentCommand(
                List.of("sh", "-c", script),
                directory,
                Map.of("PATH", "/usr/bin:/bin"),
                new Stdin.Open()),
            new RunMark(UUID.randomUUID().toString(), "1"),
            dialect);
    started.add(run);
    return new Talking(run);
  }

  /// Every line is a text, except `ask`, which is a question, and `bye`, which is the end.
  private static final class Words implements InteractiveProtocol {
    @Override
    public List<Effect> open() {
      return List.of(new Effect.Write("hello"));
    }

    @Override
    public List<Effect> line(String line) {
      return switch (line) {
        case "ask" ->
            List.of(new Effect.Ask(Question.of("run.1", ActionType.PERMISSION, "may I?")));
        case "bye" -> List.of(new Effect.Close());
        default -> Effect.tell(List.of(new RunEvent.ModelDelta(line)));
      };
    }

    @Override
    public List<Effect.Prompt> input(AgentInput input) {
      String word =
          switch (input) {
            case AgentInput.Said said -> said.message().content();
            case AgentInput.Decided decided ->
                decided.action().resolution() == null
                    ? ""
                    : decided.action().resolution().decision().wire();
          };
      return List.of(new Effect.Took(input), new Effect.Write(word));
    }

    @Override
    public List<Effect.Prompt> stop() {
      return List.of(new Effect.Write("stop"));
    }

    @Override
    public OutputParser.Ending end(Attempt.Exit exit, String stderr) {
      return new OutputParser.Ending(List.of(), Optional.empty());
    }
  }
}
