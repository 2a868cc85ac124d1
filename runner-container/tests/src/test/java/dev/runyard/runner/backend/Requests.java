package dev.runyard.runner.backend;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.agent.AgentKind;
import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.interaction.Interactions;
import dev.runyard.core.request.RunBounds;
import dev.runyard.runner.process.ProcessLauncher;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Requests and contexts to start agents with.
public final class Requests {
  private static final Ids IDS = new RandomIds(new SecureRandom());

  private Requests() {}

  public static AgentRunRequest request(
      String kind, String prompt, Map<String, JsonNode> extensions, Path workspace) {
    return request(kind, prompt, extensions, workspace, workspace, Map.of());
  }

  /// One that works in a folder of its workspace, and sets variables.
  public static AgentRunRequest request(
      String kind,
      String prompt,
      Map<String, JsonNode> extensions,
      Path workspace,
      Path workingDir,
      Map<String, String> env) {
    String runId = IDS.runId(InstantSource.system().instant());
    return new AgentRunRequest(
        new AgentKind(kind),
        runId,
        "attempt-1",
        prompt,
        extensions,
        workspace,
        workingDir,
        env,
        new RunContext(
            new RunKey("acme", runId), "session-1", List.of(), Interactions.EMPTY, false));
  }

  /// The same request within these bounds.
  public static AgentRunRequest within(AgentRunRequest plain, RunBounds bounds) {
    return new AgentRunRequest(
        plain.kind(),
        plain.runId(),
        plain.attemptId(),
        plain.prompt(),
        plain.extensions(),
        plain.workspace(),
        plain.workingDir(),
        plain.env(),
        plain.standing(),
        bounds);
  }

  public static BackendContext context(Path home) {
    return context(home, AgentSettings.Agent.DEFAULT);
  }

  public static BackendContext context(Path home, AgentSettings.Agent settings) {
    return new BackendContext(
        settings,
        ProcessLauncher.onThisMachine(),
        InstantSource.system(),
        new AgentSurroundings(Map.of("PATH", "/usr/bin:/bin"), Optional.empty(), home),
        BackendContext.Sessions.NONE,
        BackendContext.Output.BARE);
  }
}
