package dev.runyard.runner.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.agent.AgentManifest;
import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.attempt.Step;
import dev.runyard.core.event.EventCodec;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.queue.Ticket;
import dev.runyard.core.run.RunState;
import dev.runyard.runner.RunnerRig;
import dev.runyard.runner.backend.AgentBackend;
import dev.runyard.runner.backend.AgentGateway;
import dev.runyard.runner.backend.AgentRun;
import dev.runyard.runner.backend.AgentRunRequest;
import dev.runyard.runner.backend.BackendContext;
import dev.runyard.runner.backend.codex.FakeCodex;
import dev.runyard.runner.backend.echo.EchoBackend;
import dev.runyard.runner.process.LiveProcesses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AttemptsTest {
  private static final Map<String, String> RUNNER_ENV =
      Map.of(
          "PATH", "/usr/bin:/bin",
          "LANG", "C.UTF-8",
          "AWS_ACCESS_KEY_ID", "AKIA0",
          "AWS_SECRET_ACCESS_KEY", "secret-1",
          "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "/creds",
          "RUNYARD_EVENTS_TABLE", "events",
          "RUNYARD_RUN_QUEUE_URL", "queue",
          "MODEL_KEY", "sk-test-0001",
          "OTHER_SECRET", "secret-2");

  @TempDir private Path directory;
  private RunnerRig rig;

  @BeforeEach
  void open() {
    rig = new RunnerRig(directory);
  }

  @Test
  void showsAgentsNothingOfTheRunnersEnvironmentButAFewNames() throws Exception {
    FakeCodex codex = FakeCodex.running(directory, "exit 0");
    RunKey run = rig.submit("codex", "go", Map.of(), Map.of("WISH", "of the caller"));

    assertEquals(Step.Verdict.ENDED, work(codex));

    Map<String, String> seen = new HashMap<>(codex.environment());
    String home = seen.get("CODEX_HOME");
    assertEquals(home, seen.remove("HOME"));
    seen.keySet().removeAll(List.of("CODEX_HOME", "TMPDIR"));
    String mark = seen.remove("RUNYARD_RUN");
    assertTrue(mark != null && mark.startsWith(run.runId() + "."));
    assertEquals(
        Map.of(
            "PATH", "/usr/bin:/bin",
            "LANG", "C.UTF-8",
            "MODEL_KEY", seen.getOrDefault("MODEL_KEY", ""),
            "GIT_CONFIG_PARAMETERS", "'core.fsmonitor=false' 'core.hooksPath=/dev/null'",
            "WISH", "of the caller"),
        seen);
    assertFalse(seen.containsValue("sk-test-0001"));
    assertTrue(Path.of(String.valueOf(home)).startsWith(directory.resolve("homes")));
  }

  @Test
  void givesEachAttemptAWorkspaceAndRemovesIt() throws Exception {
    FakeCodex codex = FakeCodex.running(directory, "echo data > file; exit 0");
    RunKey run = rig.submit("codex", Map.of());

    work(codex);

    Path workspaces = directory.resolve("workspaces").toRealPath();
    assertTrue(codex.workingDir().startsWith(workspaces));
    assertTrue(codex.workingDir().endsWith("project/src"));
    assertTrue(codex.workingDir().toString().contains(run.runId()));
    assertEquals(List.of(), listed(workspaces));
  }

  @Test
  void leavesNoHomeBehind() throws Exception {
    FakeCodex codex = FakeCodex.running(directory, "echo secret > \"$CODEX_HOME/history\"; exit 0");
    rig.submit("codex", Map.of());

    work(codex);

    assertEquals(List.of(), listed(directory.resolve("homes")));
  }

  @Test
  void endsTheAgentBeforeItGivesUpAnAttemptThatBroke() throws Exception {
    String line =
        JsonFormat.JSON.writeValueAsString(Map.of("type", "thread.started", "thread_id", "t-1"));
    FakeCodex codex =
        FakeCodex.running(
            directory,
            "trap 'sleep 0.3; exit 0' TERM; echo $$ > '%s/pid'; echo '%s'; sleep 300"
                .formatted(directory, line));
    rig.submit("codex", Map.of());
    rig.refuse(chunk -> chunk.events(EventCodec.RUNS).getLast().type().equals("session.updated"));

    assertThrows(IllegalStateException.class, () -> work(codex));

    long pid = Long.parseLong(Files.readString(directory.resolve("pid")).strip());
    assertFalse(LiveProcesses.contain(pid));
    assertEquals(List.of(), listed(directory.resolve("workspaces")));
    assertEquals(1, rig.queue.runs().size());
  }

  @Test
  void failsARunWhoseAgentSaidNothing() throws Exception {
    RunKey run = rig.submit("codex", Map.of());

    work(FakeCodex.running(directory, "exit 0"));

    RunState.InProgress ended = assertInstanceOf(RunState.InProgress.class, rig.state(run));
    assertEquals("no_output", assertInstanceOf(Failure.class, ended.attempt().failure()).code());
  }

  @Test
  void failsARunWhoseExtensionTheBackendRefuses() throws Exception {
    RunKey run =
        rig.submit(
            "codex", Map.of("backend.codex.exec.sandbox_mode", JsonFormat.JSON.readTree("\"x\"")));
    FakeCodex codex = FakeCodex.running(directory, "exit 0");

    assertEquals(Step.Verdict.ENDED, work(codex));

    assertEquals(
        List.of("process.started", "runtime.error", "process.failed", "task.attempt.failed"),
        rig.types(run).subList(5, 9));
    assertFalse(Files.exists(directory.resolve("argv")));
  }

  @Test
  void failsARunWhoseBackendBreaks() throws Exception {
    RunKey run = rig.submit("echo", Map.of());
    AgentManifest manifest = new EchoBackend().manifest();
    AgentBackend broken =
        new AgentBackend() {
          @Override
          public AgentManifest manifest() {
            return manifest;
          }

          @Override
          public AgentRun start(AgentRunRequest request, BackendContext context) {
            throw new IllegalArgumentException("a mistake of the backend");
          }
        };
    Ticket ticket = rig.queue.receive(1, 1).getFirst();

    Step.Verdict verdict =
        rig.attempts(new AgentGateway(List.of(broken)), AgentSettings.NONE, RUNNER_ENV)
            .work(ticket);

    assertEquals(Step.Verdict.ENDED, verdict);
    RunState.InProgress ended = assertInstanceOf(RunState.InProgress.class, rig.state(run));
    assertEquals(
        Failure.LAUNCH_FAILED, assertInstanceOf(Failure.class, ended.attempt().failure()).code());
    assertTrue(rig.printed().contains("backend_broke"));
  }

  private Step.Verdict work(FakeCodex codex) throws InterruptedException {
    AgentSettings settings =
        AgentSettings.parse(
            """
            {"agents": {"codex": {"program": "%s", "api_key_env": "MODEL_KEY", "request_env": ["WISH"]}}}
            """
                .formatted(codex.program()),
            AgentGateway.onClassPath().catalog());
    Ticket ticket = rig.queue.receive(1, 1).getFirst();
    return rig.attempts(AgentGateway.onClassPath(), settings, RUNNER_ENV).work(ticket);
  }

  private static List<Path> listed(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }
}
