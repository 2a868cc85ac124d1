package dev.runyard.runner.backend;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.agent.AgentKind;
import dev.runyard.core.agent.AgentSettings;
import dev.runyard.runner.process.ProcessLauncher;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/// Requests and contexts to start agents with.
public final class Requests {
  private Requests() {}

  public static AgentRunRequest request(
      String kind, String prompt, Map<String, JsonNode> extensions, Path workspace) {
    return new AgentRunRequest(
        new AgentKind(kind),
        UUID.randomUUID().toString(),
        "attempt-1",
        prompt,
        extensions,
        workspace,
        workspace,
        Map.of());
  }

  public static BackendContext context(Path home) {
    return context(home, AgentSettings.Agent.DEFAULT);
  }

  public static BackendContext context(Path home, AgentSettings.Agent settings) {
    return new BackendContext(
        settings,
        ProcessLauncher.onThisMachine(),
        Map.of("PATH", "/usr/bin:/bin"),
        Optional.empty(),
        home,
        InstantSource.system());
  }
}
