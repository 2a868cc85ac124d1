package dev.runyard.runner.attempt;

import dev.runyard.core.agent.RequestSecrets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Reads secrets from the places the operator named, when an agent is started with them.
///
/// @param runnerEnv the runner's own variables
record RunnerSecrets(Map<String, String> runnerEnv) {
  static final int SECRET_BYTES_MAX = 65_536;

  private static final Set<PosixFilePermission> OWNERS =
      EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

  /// The secret; empty if it is not there, is blank, too large, or a file that others than its
  /// owner may use.
  Optional<String> read(String source) {
    return Optional.ofNullable(
            source.startsWith(RequestSecrets.VARIABLE)
                ? runnerEnv.get(source.substring(RequestSecrets.VARIABLE.length()))
                : file(Path.of(source.substring(RequestSecrets.FILE.length()))).orElse(null))
        .filter(value -> !value.isBlank());
  }

  private static Optional<String> file(Path path) {
    try {
      return OWNERS.containsAll(Files.getPosixFilePermissions(path))
              && Files.size(path) <= SECRET_BYTES_MAX
          ? Optional.of(Files.readString(path).stripTrailing())
          : Optional.empty();
    } catch (IOException | SecurityException _) {
      return Optional.empty();
    }
  }
}
