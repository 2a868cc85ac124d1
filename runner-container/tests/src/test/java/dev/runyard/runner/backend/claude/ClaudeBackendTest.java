package dev.runyard.runner.backend.claude;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.core.agent.Capabilities;
import dev.runyard.core.attempt.AgentSignal;
import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.interaction.AgentInput;
import dev.runyard.core.interaction.Question;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.Attempt;
import dev.runyard.runner.backend.AgentRunRequest;
import dev.runyard.runner.backend.Recording;
import dev.runyard.runner.backend.Talking;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ClaudeBackendTest {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  @TempDir private Path directory;
  private ClaudeRig rig;

  @BeforeEach
  void open() throws IOException {
    rig = new ClaudeRig(directory, Optional.empty());
  }

  @AfterEach
  void leavesNothingBehind() {
    rig.close();
  }

  @Test
  void reportsWhatClaudeCodePrints() throws IOException {
    Talking.Heard heard =
        rig.start(FakeClaude.playing(directory, "text"), "Say hello", Map.of()).end();

    assertEquals("Hello.", heard.text());
    assertEquals(Optional.empty(), heard.end().failure());
    assertEquals(Optional.of(new Attempt.Exit(0, null)), heard.end().exit());
    assertTrue(heard.events().stream().anyMatch(RunEvent.CostRecorded.class::isInstance));
    assertTrue(heard.events().stream().anyMatch(RunEvent.SessionUpdated.class::isInstance));
  }

  @Test
  void usesAToolOnceAPersonPermitsIt() throws IOException {
    FakeClaude claude = FakeClaude.playing(directory, "shell");
    Talking agent = rig.start(claude, "Write the note", ClaudeRig.ASKED);

    Question question = agent.asked();
    AgentInput.Decided decided = agent.decide(question, ActionDecision.APPROVE, null);
    assertEquals(new AgentSignal.Took(decided, Optional.empty()), agent.took());
    Talking.Heard heard = agent.end();

    assertEquals("Claude Code asks to use Bash: touch note.txt", question.prompt());
    assertEquals("The note is written.", heard.text());
    assertEquals("allow", json(claude.said().get(1)).at("/response/response/behavior").asText());
    assertEquals(Optional.empty(), heard.end().failure());
  }

  @Test
  void reportsWhatItMayNotDoWhereNobodyIsAsked() throws IOException {
    Talking.Heard heard =
        rig.start(FakeClaude.playing(directory, "refused"), "Do it", Map.of()).end();

    assertTrue(heard.events().stream().anyMatch(RunEvent.ToolFailed.class::isInstance));
    assertEquals(
        List.of("permission_refused"),
        heard.events().stream()
            .filter(RunEvent.RuntimeWarning.class::isInstance)
            .map(event -> ((RunEvent.RuntimeWarning) event).code())
            .toList());
    assertEquals(Optional.empty(), heard.end().failure());
  }

  @Test
  void startsClaudeCodeWithItsCommandLine() throws IOException {
    FakeClaude claude = FakeClaude.playing(directory, "text");

    rig.start(claude, "-n \"Quoted\"\n💖", Map.of(Capabilities.MODEL, JSON.textNode("opus"))).end();

    assertEquals(
        List.of(
            "--verbose",
            "--setting-sources",
            "user",
            "--strict-mcp-config",
            "--print",
            "--input-format",
            "stream-json",
            "--output-format",
            "stream-json",
            "--verbose",
            "--include-partial-messages",
            "--replay-user-messages",
            "--permission-mode",
            "acceptEdits",
            "--model",
            "opus"),
        claude.argv());
    assertEquals(
        "-n \"Quoted\"\n💖", json(claude.said().getFirst()).at("/message/content/0/text").asText());
    assertEquals(rig.workspace(), claude.workingDir());
  }

  @Test
  void asksThroughItsInputAndOutput() throws IOException {
    FakeClaude claude = FakeClaude.playing(directory, "text");

    rig.start(claude, "Do it", ClaudeRig.ASKED).end();

    assertTrue(
        String.join(" ", claude.argv())
            .contains("--permission-prompt-tool stdio --permission-mode default"));
  }

  @Test
  void worksWithoutItsSandboxOnlyWithAWarning() throws IOException {
    FakeClaude claude = FakeClaude.playing(directory, "text");

    Talking.Heard heard =
        rig.start(claude, "Do it", Map.of(Capabilities.EXTERNAL_SANDBOX, JSON.booleanNode(true)))
            .end();

    assertEquals("external_sandbox", ((RunEvent.RuntimeWarning) heard.events().getFirst()).code());
    assertTrue(claude.argv().contains("--dangerously-skip-permissions"));
    assertEquals("1", claude.environment().get("IS_SANDBOX"));
  }

  @Test
  void givesItItsVariablesAndNoOthers() throws IOException {
    FakeClaude claude = FakeClaude.playing(directory, "text");
    AgentRunRequest request = rig.request("Do it", Map.of());

    rig.start(request, claude).end();

    String own = rig.home().resolve("claude").toString();
    assertEquals(
        Map.ofEntries(
            Map.entry("PATH", "/usr/bin:/bin"),
            Map.entry("HOME", own),
            Map.entry("CLAUDE_CONFIG_DIR", own + "/.claude"),
            Map.entry("ANTHROPIC_API_KEY", ClaudeRig.KEY),
            Map.entry("ANTHROPIC_BASE_URL", "http://127.0.0.1:8080"),
            Map.entry("CLAUDE_CODE_MAX_RETRIES", "3"),
            Map.entry("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
            Map.entry("DISABLE_AUTOUPDATER", "1"),
            Map.entry("GIT_CONFIG_PARAMETERS", "'core.fsmonitor=false' 'core.hooksPath=/dev/null'"),
            Map.entry("SETTING", "of the operator"),
            Map.entry("RUNYARD_RUN", request.runId() + ".attempt-1")),
        claude.environment());
    assertFalse(claude.argv().toString().contains(ClaudeRig.KEY));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "status-401",
        "status-404",
        "status-500",
        "credit",
        "context",
        "no-server",
        "no-key",
        "bad-flag",
        "hang-sigint",
        "hang-sigterm"
      })
  void failsAsClaudeCodeOnceFailed(String name) throws IOException {
    Recording recording = Recording.named("claude", name);

    Talking.Heard heard = rig.start(FakeClaude.playing(directory, name), "Do it", Map.of()).end();

    assertEquals(recording.failure(), heard.end().failure().map(Failure::code));
    assertEquals(Optional.of(recording.exit()), heard.end().exit());
    assertEquals("", heard.text());
  }

  @Test
  void repeatsNoErrorOutput() throws IOException {
    FakeClaude claude =
        FakeClaude.running(
            directory,
            """
            hear
            init
            echo '{"type":"result","subtype":"success","is_error":true,"result":"key %1$s"}'
            echo 'the key is %1$s' | tee /dev/stderr
            exit 1
            """
                .formatted(ClaudeRig.KEY));

    Talking.Heard heard = rig.start(claude, "Do it", Map.of()).end();

    assertTrue(heard.end().failure().isPresent());
    assertFalse(heard.toString().contains(ClaudeRig.KEY));
  }

  @Test
  void handsOverAMessageWhileItWorks() throws IOException {
    FakeClaude claude =
        FakeClaude.running(
            directory,
            """
            hear
            init
            echo "$heard" | sed 's/"type":"user"/"type":"user","isReplay":true/'
            hear
            echo "$heard" | sed 's/"type":"user"/"type":"user","isReplay":true/'
            result
            hear
            """);
    Talking agent = rig.start(claude, "Do it", Map.of());

    AgentInput.Said said = agent.say("and quickly");

    assertEquals(new AgentSignal.Took(said, Optional.empty()), agent.took());
    assertEquals(Optional.empty(), agent.end().end().failure());
    assertEquals("and quickly", json(claude.said().get(1)).at("/message/content/0/text").asText());
  }

  @Test
  void interruptsTheTurnBeforeItSignals() throws IOException {
    FakeClaude claude =
        FakeClaude.running(
            directory,
            """
            trap '' TERM
            hear
            init
            hear
            echo '{"type":"result","subtype":"error_during_execution","is_error":true}'
            hear
            exit 1
            """);
    Talking agent = rig.start(claude, "Do it", Map.of());
    agent.untilTold(RunEvent.SessionUpdated.class);

    agent.run().stop();
    Talking.Heard heard = agent.end();

    assertEquals(Optional.of(new Attempt.Exit(1, null)), heard.end().exit());
    assertTrue(heard.end().failure().isPresent());
    assertEquals("interrupt", json(claude.said().get(1)).at("/request/subtype").asText());
  }

  @Test
  void saysThatTheProgramIsNotThere() throws IOException {
    Talking agent = rig.start(rig.request("Do it", Map.of()), "/no/such/claude");

    assertEquals(
        Optional.of(Failure.LAUNCH_FAILED), agent.end().end().failure().map(Failure::code));
  }

  private static JsonNode json(String line) throws IOException {
    return JsonFormat.JSON.readTree(line);
  }
}
