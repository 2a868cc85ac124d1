package dev.runyard.runner.backend;

import dev.runyard.core.attempt.AgentHandle;
import dev.runyard.core.problem.Failure;
import java.util.Optional;

/// Stores the files of a paused agent.
public interface FileKeeping {
  /// Whether they can be stored. The check may read files and call a store.
  AgentHandle.Pausable canKeep();

  /// Stores them once the agent's process tree is gone; returns the failure, if any.
  Optional<Failure> keep();
}
