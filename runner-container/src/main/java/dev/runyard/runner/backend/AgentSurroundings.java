package dev.runyard.runner.backend;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/// The environment of an agent's process.
///
/// @param variables the runner's variables an agent may see: nothing that identifies or gives
///   access to the runner's account
/// @param apiKey the key of the agent's model provider, from the variable the operator named
/// @param home for the agent's own files in this run, not below the system's temporary directory;
///   removed after the run
public record AgentSurroundings(Map<String, String> variables, Optional<String> apiKey, Path home) {
  public AgentSurroundings {
    variables = Map.copyOf(variables);
  }
}
