package dev.runyard.runner.backend.claude;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.agent.Capabilities;
import dev.runyard.runner.backend.AddedDirs;
import dev.runyard.runner.backend.AgentRunRequest;
import dev.runyard.runner.backend.SessionChoice;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The options of one run of Claude Code, from extension values that were already validated.
record ClaudeOptions(
    Optional<String> model, Permissions permissions, List<Path> addDirs, SessionChoice session) {

  ClaudeOptions {
    addDirs = List.copyOf(addDirs);
  }

  /// What Claude Code does before it uses a tool that changes something.
  enum Permissions {
    /// Asks a person.
    ASKED,
    /// Changes files of the workspace, and refuses anything else that needs permission.
    ALONE,
    /// Whatever it wants: the runner is itself the sandbox.
    EXTERNAL
  }

  static ClaudeOptions of(AgentRunRequest request) {
    Map<String, JsonNode> extensions = request.extensions();
    return new ClaudeOptions(
        Optional.ofNullable(extensions.get(Capabilities.MODEL))
            .map(value -> value.asText("").strip()),
        permissions(extensions),
        AddedDirs.of(extensions, request.workingDir()),
        SessionChoice.of(extensions));
  }

  private static Permissions permissions(Map<String, JsonNode> extensions) {
    JsonNode external = extensions.get(Capabilities.EXTERNAL_SANDBOX);
    if (external != null && external.asBoolean()) {
      return Permissions.EXTERNAL;
    }
    return Capabilities.interactive(extensions) ? Permissions.ASKED : Permissions.ALONE;
  }
}
