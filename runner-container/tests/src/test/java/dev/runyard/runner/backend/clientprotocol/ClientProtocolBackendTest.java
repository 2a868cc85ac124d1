package dev.runyard.runner.backend.clientprotocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.agent.Capabilities;
import dev.runyard.core.attempt.AgentSignal;
import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.interaction.AgentInput;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.run.Attempt;
import dev.runyard.runner.backend.AgentBackend;
import dev.runyard.runner.backend.AgentRun;
import dev.runyard.runner.backend.AgentSurroundings;
import dev.runyard.runner.backend.BackendContext;
import dev.runyard.runner.backend.Requests;
import dev.runyard.runner.backend.Talking;
import dev.runyard.runner.backend.claude.ClaudeAgentClientProtocol;
import dev.runyard.runner.backend.codex.CodexClientProtocol;
import dev.runyard.runner.backend.copilot.CopilotClientProtocol;
import dev.runyard.runner.backend.gemini.GeminiClientProtocol;
import dev.runyard.runner.backend.opencode.OpencodeClientProtocol;
import dev.runyard.runner.backend.qwen.QwenClientProtocol;
import dev.runyard.runner.process.ProcessLauncher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ClientProtocolBackendTest {
  private static final Map<String, JsonNode> ASKED =
      Map.of(Capabilities.NON_INTERACTIVE, JsonNodeFactory.instance.booleanNode(false));

  private final List<AgentRun> started = new ArrayList<>();
  @TempDir private Path directory;
  private Path workspace = Path.of("");
  private Path home = Path.of("");

  @BeforeEach
  void open() throws IOException {
    workspace = Files.createDirectory(directory.resolve("workspace")).toRealPath();
    home = Files.createDirectory(directory.resolve("home"));
  }

  @AfterEach
  void leavesNothingBehind() {
    started.forEach(AgentRun::stop);
  }

  @Test
  void reportsWhatAnAgentSaysAndEndsWithIt() throws Exception {
    FakeAcp fake =
        FakeAcp.running(
            directory, "open; hear; say Hel; say lo; answer '{\"stopReason\":\"end_turn\"}'; hear");

    Talking.Heard heard = start(new ClaudeAgentClientProtocol(), fake, Map.of()).end();

    assertEquals("Hello", heard.text());
    assertEquals(Optional.empty(), heard.end().failure());
    assertEquals("Do it", json(fake.said().get(2)).at("/params/prompt/0/text").asText());
    assertEquals(workspace.toString(), json(fake.said().get(1)).at("/params/cwd").asText());
  }

  @Test
  void usesAToolOnceAPersonPermitsIt() throws Exception {
    FakeAcp fake =
        FakeAcp.running(
            directory,
            "open; hear; prompt=$heard; ask; hear; heard=$prompt;"
                + " answer '{\"stopReason\":\"end_turn\"}'; hear");
    Talking agent = start(new ClaudeAgentClientProtocol(), fake, ASKED);

    AgentInput.Decided decided = agent.decide(agent.asked(), ActionDecision.APPROVE, null);

    assertEquals(new AgentSignal.Took(decided, Optional.empty()), agent.took());
    assertEquals(Optional.empty(), agent.end().end().failure());
    assertEquals("yes", json(fake.said().get(3)).at("/result/outcome/optionId").asText());
  }

  @Test
  void neverWaitsWhereNobodyIsAsked() throws Exception {
    FakeAcp fake =
        FakeAcp.running(
            directory,
            "open; hear; prompt=$heard; ask; hear; heard=$prompt;"
                + " answer '{\"stopReason\":\"end_turn\"}'; hear");

    Talking.Heard heard = start(new ClaudeAgentClientProtocol(), fake, Map.of()).end();

    assertEquals("no", json(fake.said().get(3)).at("/result/outcome/optionId").asText());
    assertTrue(heard.events().stream().anyMatch(RunEvent.RuntimeWarning.class::isInstance));
  }

  @Test
  void cancelsTheTurnBeforeItEndsTheAgent() throws Exception {
    FakeAcp fake =
        FakeAcp.running(
            directory,
            "trap '' TERM; open; hear; prompt=$heard; say working; say on; hear; heard=$prompt;"
                + " answer '{\"stopReason\":\"cancelled\"}'; hear; exit 0");
    Talking agent = start(new ClaudeAgentClientProtocol(), fake, Map.of());
    agent.untilText("workingon");

    agent.run().stop();
    Talking.Heard heard = agent.end();

    assertEquals("session/cancel", json(fake.said().get(3)).path("method").asText());
    assertEquals(Optional.of(new Attempt.Exit(0, null)), heard.end().exit());
    assertEquals(0, heard.end().processesLeft());
  }

  /// What it writes on a request to end would be in its conversation, although nobody said it.
  @Test
  void killsAnAgentThatWouldTakeItsEndForARefusal() throws Exception {
    FakeAcp fake =
        FakeAcp.running(
            directory,
            "trap 'touch refused; exit 0' TERM HUP INT; open; hear; ask; hear; sleep 300");
    Talking agent = start(new ClaudeAgentClientProtocol(), fake, ASKED);
    agent.asked();

    agent.run().stop();

    assertEquals(Optional.of(new Attempt.Exit(null, 9)), agent.end().end().exit());
    assertFalse(Files.exists(directory.resolve("refused")));
  }

  @Test
  void endsAnAgentThatDoesNotReactAndAllItStarted() throws Exception {
    FakeAcp fake =
        FakeAcp.running(
            directory,
            "trap '' TERM; open; hear; say working; say on; sleep 300 & sleep 300; wait");
    Talking agent = start(new ClaudeAgentClientProtocol(), fake, Map.of());
    agent.untilText("workingon");

    agent.run().stop();

    assertEquals(0, agent.end().end().processesLeft());
  }

  @Test
  void endsAnAgentThatStaysWhenNothingMoreIsSaid() throws Exception {
    FakeAcp fake =
        FakeAcp.running(directory, "open; hear; answer '{\"stopReason\":\"end_turn\"}'; sleep 300");

    Talking.Heard heard = start(new CodexClientProtocol(), fake, Map.of()).end();

    assertEquals(Optional.empty(), heard.end().failure());
    assertEquals(0, heard.end().processesLeft());
  }

  @Test
  void handsMessagesOverWhileTheAgentWorks() throws Exception {
    FakeAcp fake =
        FakeAcp.running(
            directory,
            "open; hear; first=$heard; say working; say on; hear; second=$heard; heard=$first;"
                + " answer '{\"stopReason\":\"end_turn\"}'; heard=$second; say more; say over;"
                + " answer '{\"stopReason\":\"end_turn\"}'; hear");
    Talking agent = start(new ClaudeAgentClientProtocol(), fake, Map.of());
    agent.untilText("workingon");

    AgentInput.Said said = agent.say("and that");

    assertEquals(new AgentSignal.Took(said, Optional.empty()), agent.took());
    assertEquals("workingonmoreover", agent.end().text());
    assertEquals("and that", json(fake.said().get(3)).at("/params/prompt/0/text").asText());
  }

  @Test
  void failsWithAProgramThatSpeaksSomethingElse() throws Exception {
    FakeAcp fake = FakeAcp.running(directory, "echo 'usage: agent --secret'; exit 2");

    Talking.Heard heard = start(new ClaudeAgentClientProtocol(), fake, Map.of()).end();

    assertEquals("no_output", heard.end().failure().orElseThrow().code());
    assertTrue(heard.events().stream().noneMatch(event -> event.toString().contains("secret")));
  }

  @Test
  void movesAConversationToWhereTheAgentLooksForIt() throws Exception {
    FakeAcp fake =
        FakeAcp.running(directory, "open; hear; answer '{\"stopReason\":\"end_turn\"}'; hear");
    Path projects = home.resolve(new ClaudeAgentClientProtocol().sessionState().getFirst());
    Files.writeString(
        Files.createDirectories(projects.resolve("-elsewhere")).resolve("s-1.jsonl"), "{}");

    start(
            new ClaudeAgentClientProtocol(),
            fake,
            Map.of(
                Capabilities.SESSION_RESUME,
                JsonNodeFactory.instance.objectNode().put("selector", "id").put("id", "s-1")))
        .end();

    assertTrue(
        Files.exists(
            projects
                .resolve(workspace.toString().replaceAll("[^a-zA-Z0-9]", "-"))
                .resolve("s-1.jsonl")));
    assertEquals("session/load", json(fake.said().get(1)).path("method").asText());
  }

  @Test
  void startsTheKnownAgentsWithTheirCommandLines() throws Exception {
    FakeAcp fake = FakeAcp.running(directory, "open; hear; answer '{\"stopReason\":\"end_turn\"}'");

    Map<AgentBackend, List<String>> expected =
        Map.of(
            new ClaudeAgentClientProtocol(), List.of("--given"),
            new CodexClientProtocol(),
                List.of(
                    "--given",
                    "-c",
                    "approval_policy=\"untrusted\"",
                    "-c",
                    "sandbox_mode=\"workspace-write\"",
                    "-c",
                    "model=\"big\""),
            new CopilotClientProtocol(),
                List.of("--given", "--acp", "--no-auto-update", "--no-remote"),
            new GeminiClientProtocol(),
                List.of("--given", "--acp", "--skip-trust", "--model", "big"),
            new OpencodeClientProtocol(), List.of("--given", "acp"),
            new QwenClientProtocol(), List.of("--given", "--acp", "--model", "big"));
    for (Map.Entry<AgentBackend, List<String>> agent : expected.entrySet()) {
      start(agent.getKey(), fake, Map.of()).end();

      assertEquals(agent.getValue(), fake.argv());
      assertEquals(home.toString(), fake.environment().get("HOME"));
      assertTrue(fake.environment().containsValue("sk-test-0001"));
      assertFalse(String.join(" ", fake.argv()).contains("sk-test"));
    }
  }

  private Talking start(AgentBackend backend, FakeAcp fake, Map<String, JsonNode> extensions) {
    AgentSettings.Agent settings =
        new AgentSettings.Agent(
            fake.program().toString(),
            List.of("--given"),
            Map.of(),
            "http://127.0.0.1:8080/v1",
            "big",
            "MODEL_KEY");
    BackendContext context =
        new BackendContext(
            settings,
            ProcessLauncher.onThisMachine(),
            InstantSource.system(),
            new AgentSurroundings(
                Map.of("PATH", "/usr/bin:/bin"), Optional.of("sk-test-0001"), home),
            BackendContext.Sessions.NONE,
            BackendContext.Output.BARE);
    AgentRun run =
        backend.start(
            Requests.request(backend.manifest().kind().name(), "Do it", extensions, workspace),
            context);
    started.add(run);
    return new Talking(run);
  }

  private static JsonNode json(String line) throws IOException {
    return JsonFormat.JSON.readTree(line);
  }
}
