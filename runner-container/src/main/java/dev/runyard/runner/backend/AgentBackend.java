package dev.runyard.runner.backend;

import dev.runyard.core.agent.AgentManifest;

/// Runs one kind of agent. Found with `ServiceLoader`: a jar on the class path adds one.
public interface AgentBackend {
  /// What the agent offers. What it advertises must be true.
  AgentManifest manifest();

  /// Starts the agent and returns at once. The run ends after the agent's process has exited and
  /// its events were delivered; an agent that cannot be started is a run that ends with the
  /// failure.
  AgentRun start(AgentRunRequest request, BackendContext context);
}
