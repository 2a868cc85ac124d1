package dev.runyard.runner.attempt;

import java.nio.file.Path;

/// Where the attempts of a runner have their folders.
///
/// @param work holds `workspaces/` and `homes/`
/// @param kept leaves workspaces and homes in place for whoever wants to look at them
public record RunnerFolders(Path work, boolean kept) {
  Path workspaces() {
    return work.resolve("workspaces");
  }

  Path homes() {
    return work.resolve("homes");
  }
}
