package dev.runyard.runner.attempt;

import dev.runyard.runner.process.RunMark;
import dev.runyard.runner.workspace.Workspace;
import java.io.IOException;
import java.nio.file.Path;

/// The files a run works on.
///
/// @param mark names the workspace: the mark of the attempt that created it first
record RunFiles(RunMark mark, Workspace workspace) {
  /// An empty workspace.
  ///
  /// @param root the folder of all workspaces
  static RunFiles none(Path root, RunMark mark) throws IOException {
    return new RunFiles(mark, Workspace.create(root, mark));
  }
}
