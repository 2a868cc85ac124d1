package dev.runyard.runner.backend;

import dev.runyard.core.problem.Failure;
import java.util.Optional;

/// Keeps the files of an agent that is paused.
public interface FileKeeping {
  /// True when they can be kept as things are. It may look at files and at a store.
  boolean canKeep();

  /// Keeps them once the agent's process tree is gone; says where that failed.
  Optional<Failure> keep();
}
