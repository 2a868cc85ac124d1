package dev.runyard.runner.backend.claude;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.core.action.ActionDecision;
import dev.runyard.core.action.ActionType;
import dev.runyard.core.action.Question;
import dev.runyard.core.agent.Capabilities;
import dev.runyard.core.attempt.AgentSignal;
import dev.runyard.core.event.EventCodec;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.AgentInput;
import dev.runyard.core.run.Journal;
import dev.runyard.runner.backend.AgentRunRequest;
import dev.runyard.runner.backend.Standing;
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
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class ClaudeSessionsTest {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final String SESSION = "11111111-1111-4111-8111-111111111111";

  @TempDir private Path directory;
  private ClaudeBench bench;

  @BeforeEach
  void open() throws IOException {
    bench = new ClaudeBench(directory, true);
  }

  @AfterEach
  void leavesNothingBehind() {
    bench.close();
  }

  @Test
  void goesOnInItsConversationWithTheDecisionThatWasMadeMeanwhile() throws IOException {
    AgentRunRequest request = bench.request("Write the note", ClaudeBench.ASKED);
    Talking first = bench.start(request, FakeClaude.playing(directory, "shell"));
    AgentInput.Decided decided = Talking.decided(first.asked(), ActionDecision.APPROVE, null, 50);
    assertTrue(first.run().canPause());
    first.run().stop();
    Optional<Failure> paused = first.end().end().failure();
    bench.conversation("-where-the-first-attempt-was", SESSION);

    FakeClaude claude = FakeClaude.playing(directory, "shell");
    Talking second = bench.start(continued(request, decided), claude);
    second.run().deliver(decided);

    assertTrue(paused.isPresent());
    assertEquals(new AgentSignal.Took(decided, Optional.empty()), second.took());
    assertEquals(Optional.empty(), second.end().end().failure());
    assertTrue(String.join(" ", claude.argv()).endsWith("--resume " + SESSION));
    assertEquals(
        ClaudeBackend.GO_ON, json(claude.said().getFirst()).at("/message/content/0/text").asText());
  }

  @Test
  void holdsItsPlaceWhereItsHomeIsNotKept() throws IOException {
    try (ClaudeBench other =
        new ClaudeBench(Files.createDirectory(directory.resolve("other")), false)) {
      FakeClaude claude = FakeClaude.playing(other.directory(), "text");

      assertFalse(other.start(claude, "Do it", Map.of()).run().canPause());
    }
  }

  @Test
  void neverStartsAnewWhereAConversationIsMissing() throws IOException {
    AgentRunRequest request = bench.request("Do it", ClaudeBench.ASKED);
    AgentInput.Decided decided =
        Talking.decided(
            Question.of(request.runId() + ".1", ActionType.PERMISSION, "May it?"),
            ActionDecision.APPROVE,
            null,
            50);

    Talking.Heard heard =
        bench.start(continued(request, decided), FakeClaude.playing(directory, "text")).end();

    assertEquals(Optional.of("session_not_found"), heard.end().failure().map(Failure::code));
    assertEquals(Optional.empty(), heard.end().exit());
  }

  @Test
  void beginsACopyOfAConversation() throws IOException {
    bench.conversation("-somewhere", SESSION);
    FakeClaude claude = FakeClaude.playing(directory, "text");

    bench
        .start(
            claude,
            "Do it",
            Map.of(Capabilities.SESSION_FORK, JSON.objectNode().put("selector", "last")))
        .end();

    assertTrue(String.join(" ", claude.argv()).endsWith("--resume " + SESSION + " --fork-session"));
  }

  private static AgentRunRequest continued(AgentRunRequest request, AgentInput.Decided decided) {
    return new AgentRunRequest(
        request.kind(),
        request.runId(),
        "attempt-2",
        request.prompt(),
        request.extensions(),
        request.workspace(),
        request.workingDir(),
        request.env(),
        new Standing(
            request.standing().run(),
            "session-1",
            List.of(),
            new Journal(List.of(decided.action()), List.of(), null, 0, 1, 0),
            true,
            Optional.of(SESSION)));
  }

  private static JsonNode json(String line) throws IOException {
    return EventCodec.JSON.readTree(line);
  }
}
