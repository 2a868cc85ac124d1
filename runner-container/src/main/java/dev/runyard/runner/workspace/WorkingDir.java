package dev.runyard.runner.workspace;

import java.nio.file.Path;

/// The answer to a request to run in some directory.
public sealed interface WorkingDir {

  /// Granted: an existing directory, with no symbolic link left in its path.
  record Granted(Path path) implements WorkingDir {}

  /// Not granted; the reason can be shown to the client.
  record Refused(String reason) implements WorkingDir {}
}
