package dev.runyard.runner.attempt;

import java.nio.file.Path;

/// Where an agent is started.
///
/// @param home where it keeps its own files
/// @param files what it works on
/// @param workingDir the workspace or a directory in it
record AgentPlace(Path home, RunFiles files, Path workingDir) {
  /// In the workspace itself.
  AgentPlace(Path home, RunFiles files) {
    this(home, files, files.workspace().path());
  }

  AgentPlace in(Path directory) {
    return new AgentPlace(home, files, directory);
  }

  Path workspace() {
    return files.workspace().path();
  }
}
