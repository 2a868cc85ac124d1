package dev.runyard.runner.backend.codex;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.event.EventTypes;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.request.RunBounds;
import dev.runyard.core.run.Attempt;
import dev.runyard.runner.backend.AgentRun;
import dev.runyard.runner.backend.AgentRunRequest;
import dev.runyard.runner.backend.AgentSurroundings;
import dev.runyard.runner.backend.BackendContext;
import dev.runyard.runner.backend.Recording;
import dev.runyard.runner.backend.Requests;
import dev.runyard.runner.backend.Signals;
import dev.runyard.runner.process.ProcessLauncher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CodexBackendTest {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final String KEY = "sk-test-0001";
  private static final String ENDPOINT = "http://127.0.0.1:8080/v1";

  @TempDir private Path directory;
  private Path workspace;
  private Path home;

  @BeforeEach
  void makeFolders() throws IOException {
    workspace = Files.createDirectory(directory.resolve("workspace")).toRealPath();
    home = directory.resolve("home");
  }

  @Test
  void reportsWhatCodexPrints() throws IOException {
    FakeCodex codex = FakeCodex.playing(directory, "shell");

    Signals told = run(codex, "Write the note", Map.of());

    assertEquals("The note is written.", told.text());
    assertEquals(
        List.of("session.updated", "tool.started", "tool.result"),
        told.events().stream()
            .map(EventTypes::nameOf)
            .filter(type -> type.startsWith("session") || type.startsWith("tool"))
            .toList());
    assertEquals(Optional.of(new Attempt.Exit(0, null)), told.end().exit());
    assertEquals(Optional.empty(), told.end().failure());
  }

  @Test
  void startsCodexWithItsCommandLine() throws IOException {
    FakeCodex codex = FakeCodex.playing(directory, "text");

    run(
        codex,
        "Say hello.\n\"Quoted\" 💖",
        Map.of(
            CodexOptions.MODEL, JSON.textNode("gpt-5.5"),
            CodexOptions.SANDBOX_MODE, JSON.textNode("read-only")));

    assertEquals(
        List.of(
            "--strict",
            "exec",
            "--json",
            "--skip-git-repo-check",
            "-c",
            "approval_policy=\"never\"",
            "-c",
            "sandbox_mode=\"read-only\"",
            "-c",
            "model=\"gpt-5.5\"",
            "-"),
        codex.argv());
    assertEquals("Say hello.\n\"Quoted\" 💖", codex.stdin());
    assertEquals(workspace, codex.workingDir());
  }

  @Test
  void givesCodexItsVariablesAndNoOthers() throws IOException {
    FakeCodex codex = FakeCodex.playing(directory, "text");
    AgentRunRequest request = request("Do it", Map.of());

    Signals.of(new CodexBackend().start(request, context(codex)));

    String codexHome = home.resolve("codex").toString();
    assertEquals(
        Map.of(
            "PATH",
            "/usr/bin:/bin",
            "HOME",
            codexHome,
            "CODEX_HOME",
            codexHome,
            "TMPDIR",
            codexHome + "/scratch",
            "MODEL_KEY",
            KEY,
            "SETTING",
            "of the operator",
            "GIT_CONFIG_PARAMETERS",
            "'core.fsmonitor=false' 'core.hooksPath=/dev/null'",
            "RUNYARD_RUN",
            request.runId() + ".attempt-1"),
        codex.environment());
  }

  @Test
  void passesTheModelsAddressButNeverTheKey() throws IOException {
    FakeCodex codex = FakeCodex.playing(directory, "text");

    run(codex, "Do it", Map.of());

    assertTrue(codex.config().contains("base_url = \"" + ENDPOINT + "\""));
    assertTrue(codex.config().contains("env_key = \"MODEL_KEY\""));
    assertFalse(codex.config().contains(KEY));
    assertFalse(codex.argv().toString().contains(KEY));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "status-401",
        "status-500",
        "quota",
        "context",
        "bad-flag",
        "hang-sigterm",
        "drop"
      })
  void failsAsCodexOnceFailed(String name) throws IOException {
    Recording recording = Recording.named(CodexStreams.RECORDINGS, name);

    Signals told = run(FakeCodex.playing(directory, name), "Do it", Map.of());

    CodexStream stream = new CodexStream("", null, new CodexThread.Fresh());
    recording.events(stream::line);
    Optional<Failure> meant =
        CodexOutcome.of(stream, recording.exit(), recording.stderr()).failure();
    assertTrue(meant.isPresent());
    assertEquals(meant, told.end().failure());
    assertEquals(Optional.of(recording.exit()), told.end().exit());
  }

  @Test
  void repeatsNoErrorOutput() throws IOException {
    FakeCodex codex =
        FakeCodex.running(directory, "echo 'the key is " + KEY + "' | tee /dev/stderr; exit 1");

    Signals told = run(codex, "Do it", Map.of());

    assertTrue(told.end().failure().isPresent());
    assertFalse(told.toString().contains(KEY));
  }

  @Test
  void saysThatCodexIsNotThere() {
    AgentSettings.Agent missing =
        new AgentSettings.Agent("/no/such/codex", List.of(), Map.of(), null, null, null);

    Signals told =
        Signals.of(
            new CodexBackend()
                .start(request("Do it", Map.of()), context(missing, Optional.empty())));

    assertEquals(Failure.LAUNCH_FAILED, told.end().failure().orElseThrow().code());
    assertEquals(Optional.empty(), told.end().exit());
  }

  @Test
  void saysThatItsHomeCannotBeMade() throws IOException {
    Files.writeString(home, "a file where the home should be");

    Signals told = run(FakeCodex.playing(directory, "text"), "Do it", Map.of());

    assertEquals(Failure.LAUNCH_FAILED, told.end().failure().orElseThrow().code());
  }

  @Test
  void endsCodexWhenItIsStopped() throws IOException {
    String line =
        JsonFormat.JSON.writeValueAsString(Map.of("type", "thread.started", "thread_id", "t-1"));
    FakeCodex codex = FakeCodex.running(directory, "echo '" + line + "'; sleep 300");
    AgentRun run = new CodexBackend().start(request("Do it", Map.of()), context(codex));
    assertEquals(new RunEvent.SessionUpdated("t-1"), Signals.next(run));

    run.stop();

    assertEquals(Optional.of(new Attempt.Exit(null, 15)), Signals.of(run).end().exit());
  }

  @Test
  void talksToTheServerWhereTheRunIsStoppedByWhatItUses() throws IOException {
    FakeCodex codex = FakeCodex.running(directory, "exit 0");
    RunBounds bounds = new RunBounds(3, null, null, null, null);
    AgentRun run =
        new CodexBackend()
            .start(Requests.within(request("Do it", Map.of()), bounds), context(codex));
    Signals.until(() -> Files.exists(directory.resolve("pwd")));
    run.stop();
    Signals.of(run);

    assertTrue(codex.argv().contains("app-server"), codex.argv().toString());
  }

  @Test
  void lendsACopyOfTheOperatorsLoginOnlyWithoutAKey() throws IOException {
    Path user = Files.createDirectories(directory.resolve("user/.codex"));
    Files.writeString(user.resolve("auth.json"), "{}");
    FakeCodex codex =
        FakeCodex.running(
            directory,
            "test -f \"$CODEX_HOME/auth.json\" && test ! -L \"$CODEX_HOME/auth.json\" && echo"
                + " stolen > \"$CODEX_HOME/auth.json\" && exit 0; exit 7");
    AgentSettings.Agent plain =
        new AgentSettings.Agent(
            codex.program().toString(), List.of(), Map.of(), null, null, "MODEL_KEY");
    CodexBackend backend = new CodexBackend();

    AgentRunRequest request = request("Do it", Map.of());

    Signals lent = Signals.of(backend.start(request, context(plain, Optional.empty())));
    home = directory.resolve("another");
    Signals withKey = Signals.of(backend.start(request, context(plain, Optional.of(KEY))));

    assertEquals(Optional.of(new Attempt.Exit(0, null)), lent.end().exit());
    assertEquals("{}", Files.readString(user.resolve("auth.json")));
    assertEquals(Optional.of(new Attempt.Exit(7, null)), withKey.end().exit());
  }

  private Signals run(FakeCodex codex, String prompt, Map<String, JsonNode> extensions) {
    return Signals.of(new CodexBackend().start(request(prompt, extensions), context(codex)));
  }

  private AgentRunRequest request(String prompt, Map<String, JsonNode> extensions) {
    return Requests.request(
        "codex", prompt, extensions, workspace, workspace, Map.of("WISH", "of the caller"));
  }

  private BackendContext context(FakeCodex codex) {
    return context(
        new AgentSettings.Agent(
            codex.program().toString(),
            List.of("--strict"),
            Map.of("SETTING", "of the operator"),
            ENDPOINT,
            null,
            "MODEL_KEY"),
        Optional.of(KEY));
  }

  private BackendContext context(AgentSettings.Agent settings, Optional<String> key) {
    return new BackendContext(
        settings,
        ProcessLauncher.onThisMachine(),
        InstantSource.system(),
        new AgentSurroundings(
            Map.of("PATH", "/usr/bin:/bin", "HOME", directory.resolve("user").toString()),
            key,
            home,
            Optional.of(directory.resolve("user"))),
        BackendContext.Sessions.NONE,
        BackendContext.Output.BARE);
  }
}
