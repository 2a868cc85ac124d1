package dev.runyard.runner.workspace;

import java.nio.file.Path;

/// The result of a request for a working directory.
public sealed interface WorkingDir {

  /// Granted: an existing directory, with no symbolic link left in its path.
  record Granted(Path path) implements WorkingDir {}

  /// Not granted; the reason can be shown to the client.
  record Refused(String reason) implements WorkingDir {}
}
