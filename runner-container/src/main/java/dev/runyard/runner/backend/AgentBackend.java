package dev.runyard.runner.backend;

import dev.runyard.core.agent.AgentManifest;
import java.nio.file.Path;
import java.util.List;

/// Runs one kind of agent. That of a CLI is named by its manifest
/// ([dev.runyard.core.agent.AgentCli]); any other is found with `ServiceLoader`, so that a jar on
/// the class path adds one.
public interface AgentBackend {
  /// What the agent offers. What it advertises must be true.
  AgentManifest manifest();

  /// Paths below the home that hold the agent's sessions, kept between runs: the next run of a
  /// session finds them in its home, on whatever runner.
  default List<Path> sessionState() {
    return List.of();
  }

  /// True where an attempt that goes on is given all again from the log, by the rule of
  /// [dev.runyard.core.interaction.Interactions], and needs neither a session nor files of the one
  /// before.
  default boolean replayed() {
    return false;
  }

  /// Starts the agent and returns at once. The run ends after the agent's process has exited and
  /// its events were delivered; an agent that cannot be started is a run that ends with the
  /// failure.
  AgentRun start(AgentRunRequest request, BackendContext context);
}
