package dev.runyard.runner.backend;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/// What an agent's process finds around it.
///
/// @param variables the runner's variables an agent may see: nothing that names or opens the
///   runner's account
/// @param apiKey the key of the agent's model provider, from the variable the operator named
/// @param home where the agent of this run keeps its own files, not under the system's temporary
///   directory; removed after the run
public record AgentSurroundings(Map<String, String> variables, Optional<String> apiKey, Path home) {
  public AgentSurroundings {
    variables = Map.copyOf(variables);
  }
}
