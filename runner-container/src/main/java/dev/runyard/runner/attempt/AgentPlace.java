package dev.runyard.runner.attempt;

import java.nio.file.Path;

/// The folders of an agent.
///
/// @param home its own files
/// @param files the files it works on
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
