package dev.runyard.runner.backend.codex;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.runyard.core.agent.Capabilities;
import dev.runyard.core.agent.Grants;
import dev.runyard.core.agent.RequestEnv;
import dev.runyard.core.event.SandboxApplied;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.usage.Usage;
import dev.runyard.runner.backend.SessionChoice;
import dev.runyard.runner.isolation.Cell;
import dev.runyard.runner.process.AgentCommand;
import dev.runyard.runner.process.Stdin;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class CodexCommandTest {

  static final CodexSettings SETTINGS =
      new CodexSettings(
          "codex",
          List.of("--strict-config"),
          Map.of("MODEL_KEY", "k-1", "A", "agent", "B", "agent"),
          Optional.of(URI.create("http://127.0.0.1:8080/v1")),
          "MODEL_KEY",
          Optional.of("base-model"));

  private static final Path WORKSPACE = Path.of("/space/x");
  private static final CodexHome HOME = new CodexHome(Path.of("/homes/s1"));

  @Test
  void runsAFreshConversationInTheWorkspaceSandbox() {
    AgentCommand command = command(Map.of(), new CodexThread.Fresh());
    assertEquals(
        List.of(
            "codex",
            "--strict-config",
            "exec",
            "--json",
            "--skip-git-repo-check",
            "-c",
            "approval_policy=\"never\"",
            "-c",
            "sandbox_mode=\"workspace-write\"",
            "-c",
            "model=\"base-model\"",
            "-"),
        command.argv());
    assertEquals(Stdin.text("Do it"), command.stdin());
    assertEquals(WORKSPACE, command.workingDir());
  }

  @Test
  void followsTheExtensions() throws Exception {
    List<String> argv =
        command(
                Map.of(
                    CodexOptions.MODEL, json("\" my\\\"model \""),
                    CodexOptions.SANDBOX_MODE, json("\"read-only\""),
                    CodexOptions.ADD_DIRS, json("{\"dirs\":[\"../lib\",\"/data\",\"/data/\"]}")),
                new CodexThread.Known("t-1", Usage.NONE))
            .argv();
    assertTrue(argv.contains("model=\"my\\\"model\""), argv::toString);
    assertTrue(argv.contains("sandbox_mode=\"read-only\""));
    assertEquals(
        List.of("--add-dir", "/space/lib", "--add-dir", "/data", "resume", "t-1", "-"),
        argv.subList(argv.size() - 7, argv.size()));
  }

  @Test
  void startsAServerForAnInteractiveRun() throws Exception {
    CodexOptions options =
        CodexOptions.of(
            Map.of(
                Capabilities.NON_INTERACTIVE, json("false"),
                CodexOptions.ADD_DIRS, json("{\"dirs\":[\"../lib\",\"/data\"]}")),
            WORKSPACE);
    AgentCommand command =
        CodexCommand.server(
            SETTINGS,
            HOME,
            new CodexRun(options, new CodexThread.Fresh(), "Do it", WORKSPACE, Map.of()),
            Map.of("PATH", "/bin"));

    assertTrue(options.needsServer());
    assertFalse(CodexOptions.of(Map.of(), WORKSPACE).needsServer());
    assertEquals(
        List.of(
            "codex",
            "--strict-config",
            "app-server",
            "-c",
            "sandbox_workspace_write.writable_roots=[\"/space/lib\",\"/data\"]"),
        command.argv());
    assertEquals(new Stdin.Open(), command.stdin());
    assertEquals("/homes/s1", command.environment().get("CODEX_HOME"));
  }

  @Test
  void leavesTheSandboxToTheRunnerWhenAsked() throws Exception {
    List<String> argv =
        command(Map.of(CodexOptions.EXTERNAL_SANDBOX, json("true")), new CodexThread.Fresh())
            .argv();
    assertTrue(argv.contains("--dangerously-bypass-approvals-and-sandbox"));
    assertFalse(argv.toString().contains("sandbox_mode"));
  }

  @Test
  void leavesTheSandboxToACellOnlyWhereItCanMakeNoneAndMayWrite() throws Exception {
    CodexOptions writes = CodexOptions.of(Map.of(), Path.of("/work"));
    CodexOptions reads =
        CodexOptions.of(Map.of(CodexOptions.SANDBOX_MODE, json("\"read-only\"")), Path.of("/work"));
    assertEquals(CodexOptions.Sandbox.EXTERNAL, writes.within(cell(true)).sandbox());
    assertEquals(CodexOptions.Sandbox.WORKSPACE_WRITE, writes.within(cell(false)).sandbox());
    assertEquals(CodexOptions.Sandbox.READ_ONLY, reads.within(cell(true)).sandbox());
  }

  private static Cell cell(boolean replacesSandbox) {
    return new Cell() {
      @Override
      public Entrance enter(Path workingDir, Map<String, String> environment) {
        throw new AssertionError("nothing is started");
      }

      @Override
      public Watching watch(Consumer<Failure> reached) {
        return Watching.NONE;
      }

      @Override
      public Optional<SandboxApplied> told() {
        return Optional.empty();
      }

      @Override
      public boolean replacesSandbox() {
        return replacesSandbox;
      }

      @Override
      public boolean close() {
        return true;
      }
    };
  }

  @Test
  void letsTheRequestsVariablesWinWhereTheOperatorSaysSoButNotOverTheHome() {
    CodexSettings settings =
        new CodexSettings(
            SETTINGS.program(),
            SETTINGS.arguments(),
            SETTINGS.environment(),
            SETTINGS.baseUrl(),
            SETTINGS.keyVariable(),
            SETTINGS.model(),
            new Grants(Set.of(), RequestEnv.of(List.of("B", "C_*")), false));
    AgentCommand command =
        CodexCommand.of(
            settings,
            HOME,
            new CodexRun(
                CodexOptions.of(Map.of(), WORKSPACE),
                new CodexThread.Fresh(),
                "Do it",
                WORKSPACE,
                Map.of(
                    "A",
                    "run",
                    "B",
                    "run",
                    "C_1",
                    "run",
                    "CODEX_HOME",
                    "/elsewhere",
                    "TMPDIR",
                    "/")),
            Map.of("PATH", "/bin", "A", "base"));
    assertEquals(
        Map.of(
            "PATH", "/bin",
            "A", "agent",
            "B", "run",
            "C_1", "run",
            "GIT_CONFIG_PARAMETERS", "'core.fsmonitor=false' 'core.hooksPath=/dev/null'",
            "MODEL_KEY", "k-1",
            "HOME", "/homes/s1",
            "CODEX_HOME", "/homes/s1",
            "TMPDIR", "/homes/s1/scratch"),
        command.environment());
  }

  @Test
  void keepsTheKeyOutOfTheCommandLine() {
    assertFalse(command(Map.of(), new CodexThread.Fresh()).argv().toString().contains("k-1"));
  }

  @Test
  void readsWhichConversationToResume() throws Exception {
    assertEquals(new SessionChoice.Fresh(), resume(Map.of()));
    assertEquals(
        new SessionChoice.Last(false),
        resume(Map.of(Capabilities.SESSION_RESUME, json("{\"selector\":\"last\"}"))));
    assertEquals(
        new SessionChoice.ById("t-1", false),
        resume(
            Map.of(Capabilities.SESSION_RESUME, json("{\"selector\":\"id\",\"id\":\" t-1 \"}"))));
  }

  private static SessionChoice resume(Map<String, JsonNode> extensions) {
    return CodexOptions.of(extensions, WORKSPACE).session();
  }

  private static AgentCommand command(Map<String, JsonNode> extensions, CodexThread thread) {
    return CodexCommand.of(
        SETTINGS,
        HOME,
        new CodexRun(CodexOptions.of(extensions, WORKSPACE), thread, "Do it", WORKSPACE, Map.of()),
        Map.of("PATH", "/bin"));
  }

  private static JsonNode json(String text) throws JsonProcessingException {
    return new ObjectMapper().readTree(text);
  }
}
