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
/// @param logins a home with logins of the operator, for agents without a key; empty if there is
///   none. No agent must be able to write it
public record AgentSurroundings(
    Map<String, String> variables, Optional<String> apiKey, Path home, Optional<Path> logins) {
  /// Surroundings without logins.
  public AgentSurroundings(Map<String, String> variables, Optional<String> apiKey, Path home) {
    this(variables, apiKey, home, Optional.empty());
  }

  public AgentSurroundings {
    variables = Map.copyOf(variables);
  }
}
