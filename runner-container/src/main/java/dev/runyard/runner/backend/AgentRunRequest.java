package dev.runyard.runner.backend;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.agent.AgentKind;
import dev.runyard.core.request.RunBounds;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;

/// One run as a backend gets it. The extensions were checked against the backend's manifest.
///
/// @param workspace the run's own directory, removed after the run
/// @param workingDir the agent's working directory: the workspace or a directory in it
/// @param env variables of the request
/// @param standing the run's context: its session and its log so far
/// @param bounds limits of the run
public record AgentRunRequest(
    AgentKind kind,
    String runId,
    String attemptId,
    String prompt,
    Map<String, JsonNode> extensions,
    Path workspace,
    Path workingDir,
    Map<String, String> env,
    RunContext standing,
    RunBounds bounds) {

  /// A request that limits only its run's time.
  public AgentRunRequest(
      AgentKind kind,
      String runId,
      String attemptId,
      String prompt,
      Map<String, JsonNode> extensions,
      Path workspace,
      Path workingDir,
      Map<String, String> env,
      RunContext standing) {
    this(
        kind,
        runId,
        attemptId,
        prompt,
        extensions,
        workspace,
        workingDir,
        env,
        standing,
        RunBounds.NONE);
  }

  public AgentRunRequest {
    Objects.requireNonNull(kind);
    Objects.requireNonNull(prompt);
    Objects.requireNonNull(standing);
    Objects.requireNonNull(bounds);
    extensions = Map.copyOf(extensions);
    env = Map.copyOf(env);
  }

  /// The request with its extensions as they were checked.
  AgentRunRequest with(Map<String, JsonNode> checked) {
    return new AgentRunRequest(
        kind, runId, attemptId, prompt, checked, workspace, workingDir, env, standing, bounds);
  }
}
