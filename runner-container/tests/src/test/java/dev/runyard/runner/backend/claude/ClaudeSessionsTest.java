package dev.runyard.runner.backend.claude;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.core.agent.Capabilities;
import dev.runyard.core.attempt.AgentHandle.Pausable;
import dev.runyard.core.attempt.AgentSignal;
import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.interaction.AgentInput;
import dev.runyard.core.interaction.Interactions;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.problem.Failure;
import dev.runyard.runner.backend.AgentPrompt;
import dev.runyard.runner.backend.AgentRunRequest;
import dev.runyard.runner.backend.FileKeeping;
import dev.runyard.runner.backend.RunContext;
import dev.runyard.runner.backend.Talking;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ClaudeSessionsTest {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final String SESSION = "11111111-1111-4111-8111-111111111111";

  @TempDir private Path directory;
  private final Keeper keeper = new Keeper();
  private ClaudeRig rig;

  @BeforeEach
  void open() throws IOException {
    rig = new ClaudeRig(directory, Optional.of(keeper));
  }

  @AfterEach
  void leavesNothingBehind() {
    rig.close();
  }

  @Test
  void continuesItsConversationWithTheDecisionMadeInTheMeantime() throws Exception {
    AgentRunRequest request = rig.request("Write the note", ClaudeRig.ASKED);
    Talking first = rig.start(request, FakeClaude.playing(directory, "shell"));
    AgentInput.Decided decided = Talking.decided(first.asked(), ActionDecision.APPROVE, null, 50);
    assertEquals(Pausable.NO, first.run().canPause().get());
    keeper.pausable = Pausable.YES;
    assertEquals(Pausable.YES, first.run().canPause().get());
    first.run().pause();
    Optional<Failure> paused = first.end().end().failure();
    rig.conversation(
        "-where-the-first-attempt-was",
        SESSION,
        AgentPrompt.of(request.runId(), "prompt", request.prompt()).id());

    FakeClaude claude = FakeClaude.playing(directory, "shell");
    Talking second = rig.start(continued(request, decided), claude);
    second.run().deliver(decided);

    assertTrue(paused.isPresent());
    assertEquals(new AgentSignal.Took(decided, Optional.empty()), second.took());
    assertEquals(Optional.empty(), second.end().end().failure());
    assertTrue(String.join(" ", claude.argv()).endsWith("--resume " + SESSION));
    assertEquals(
        AgentPrompt.GO_ON, json(claude.said().getFirst()).at("/message/content/0/text").asText());
  }

  @Test
  void holdsItsPlaceWhereItCannotContinueElsewhere() throws Exception {
    try (ClaudeRig other =
        new ClaudeRig(Files.createDirectory(directory.resolve("other")), Optional.empty())) {
      FakeClaude claude = FakeClaude.playing(other.directory(), "text");

      Talking talking = other.start(claude, "Do it", Map.of());
      assertEquals(Pausable.NO, talking.run().canPause().get());
      talking.run().stop();
      talking.end();
    }
  }

  @Test
  void beginsAgainWithItsInputWhereItsConversationIsGone() throws IOException {
    AgentRunRequest request = rig.request("Write the note", ClaudeRig.ASKED);
    Talking first = rig.start(request, FakeClaude.playing(directory, "shell"));
    AgentInput.Decided decided = Talking.decided(first.asked(), ActionDecision.APPROVE, null, 50);
    first.run().stop();
    first.end();
    rig.conversation("-of-the-run-before", SESSION, "another prompt");

    FakeClaude claude = FakeClaude.playing(directory, "shell");
    Talking second = rig.start(continued(request, decided), claude);
    second.run().deliver(decided);

    assertEquals(new AgentSignal.Took(decided, Optional.empty()), second.took());
    assertEquals("The note is written.", second.end().text());
    assertEquals(
        "Write the note", json(claude.said().getFirst()).at("/message/content/0/text").asText());
  }

  @Test
  void neverBeginsANewConversationWhereOneWasAskedFor() throws IOException {
    Talking.Heard heard =
        rig.start(
                FakeClaude.playing(directory, "text"),
                "Do it",
                Map.of(Capabilities.SESSION_RESUME, resume()))
            .end();

    assertEquals(Optional.of("session_not_found"), heard.end().failure().map(Failure::code));
    assertEquals(Optional.empty(), heard.end().exit());
  }

  @Test
  void beginsACopyOfAConversation() throws IOException {
    rig.conversation("-somewhere", SESSION, "{}");
    FakeClaude claude = FakeClaude.playing(directory, "text");

    rig.start(
            claude,
            "Do it",
            Map.of(Capabilities.SESSION_FORK, JSON.objectNode().put("selector", "last")))
        .end();

    assertTrue(String.join(" ", claude.argv()).endsWith("--resume " + SESSION + " --fork-session"));
  }

  /// Stores an agent's files, of which there are none, as soon as it can.
  private static final class Keeper implements FileKeeping {
    private volatile Pausable pausable = Pausable.NO;

    @Override
    public Pausable canKeep() {
      return pausable;
    }

    @Override
    public Optional<Failure> keep() {
      return Optional.empty();
    }
  }

  private static JsonNode resume() {
    return JSON.objectNode().put("selector", "id").put("id", SESSION);
  }

  private static AgentRunRequest continued(AgentRunRequest request, AgentInput.Decided decided) {
    return new AgentRunRequest(
        request.kind(),
        request.runId(),
        "attempt-2",
        request.prompt(),
        Map.of(
            Capabilities.NON_INTERACTIVE,
            JSON.booleanNode(false),
            Capabilities.SESSION_RESUME,
            resume()),
        request.workspace(),
        request.workingDir(),
        request.env(),
        new RunContext(
            request.standing().run(),
            "session-1",
            List.of(),
            new Interactions(List.of(decided.action()), List.of(), null, 0, 1, 0),
            true));
  }

  private static JsonNode json(String line) throws IOException {
    return JsonFormat.JSON.readTree(line);
  }
}
