package dev.runyard.runner.attempt;

import java.nio.file.Path;

/// The folders of a runner's attempts.
///
/// @param work contains `workspaces/`, `homes/` and `checkouts/`
/// @param kept whether workspaces and homes stay for people to look at
public record RunnerFolders(Path work, boolean kept) {
  Path workspaces() {
    return work.resolve("workspaces");
  }

  /// Of the runner's own: no attempt's user may pass it.
  Path checkouts() {
    return work.resolve("checkouts");
  }

  Path homes() {
    return work.resolve("homes");
  }
}
