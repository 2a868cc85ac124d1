package dev.runyard.runner.checkout;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// What one git process is given to show itself to a server. Closing it removes what of that is in
/// files.
///
/// @param settings of git
/// @param variables of the process
/// @param files that it reads
public record GitAccess(
    Map<String, String> settings, Map<String, String> variables, List<Path> files)
    implements AutoCloseable {
  /// As anybody.
  public static final GitAccess NONE = new GitAccess(Map.of(), Map.of(), List.of());

  @Override
  public void close() throws IOException {
    for (Path file : files) {
      Files.deleteIfExists(file);
    }
  }

  @Override
  public String toString() {
    return "GitAccess" + files;
  }
}
