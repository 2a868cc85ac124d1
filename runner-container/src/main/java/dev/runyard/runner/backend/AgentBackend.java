package dev.runyard.runner.backend;

import dev.runyard.core.agent.AgentManifest;
import java.nio.file.Path;
import java.util.List;

/// Runs one kind of agent. The backend of a CLI is named by its manifest
/// ([dev.runyard.core.agent.AgentCli]); any other is found with `ServiceLoader`, so that a jar on
/// the class path adds one.
public interface AgentBackend {
  /// What the agent offers. What it advertises must be true.
  AgentManifest manifest();

  /// Paths below the home that hold the agent's sessions and are stored between runs: the next run
  /// of a session finds them in its home, on whichever runner.
  default List<Path> sessionState() {
    return List.of();
  }

  /// True if an attempt that continues gets all input again from the log, as described in
  /// [dev.runyard.core.interaction.Interactions], and needs neither the session nor the files of
  /// the one before.
  default boolean replayed() {
    return false;
  }

  /// Starts the agent and returns at once. The run ends after the agent's process has exited and
  /// its events were delivered; if the agent cannot be started, the run ends with the failure.
  AgentRun start(AgentRunRequest request, BackendContext context);
}
