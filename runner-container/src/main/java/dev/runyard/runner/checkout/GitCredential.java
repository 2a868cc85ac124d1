package dev.runyard.runner.checkout;

import dev.runyard.core.request.GitAddress;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What the runner shows a server of repositories. It is a variable of one git process and of what
/// that starts, and in no file and no argument: git asks for it by a line of shell, and only for
/// this server.
public record GitCredential(String user, String password) {
  /// Prints the variables when git asks for a credential.
  private static final String HELPER =
      "!f() { test \"$1\" = get && printf 'username=%s\\npassword=%s\\n' \"$RUNYARD_GIT_USER\""
          + " \"$RUNYARD_GIT_PASSWORD\"; }; f";

  /// With tokens, servers of repositories take any user.
  private static final String ANY_USER = "x-access-token";

  /// Reads a secret: `user:password`, or a token. Empty if it can be neither.
  public static Optional<GitCredential> of(String secret) {
    if (secret.isBlank() || secret.chars().anyMatch(c -> c < ' ')) {
      return Optional.empty();
    }
    int colon = secret.indexOf(':');
    return Optional.of(
        colon > 0
            ? new GitCredential(secret.substring(0, colon), secret.substring(colon + 1))
            : new GitCredential(ANY_USER, secret));
  }

  /// Makes git ask for it, for this server only.
  public GitAccess access(GitAddress address) {
    return new GitAccess(
        Map.of("credential." + address.server() + ".helper", HELPER),
        Map.of("RUNYARD_GIT_USER", user, "RUNYARD_GIT_PASSWORD", password),
        List.of());
  }

  /// The header of HTTP that shows it.
  String basic() {
    return "Basic "
        + Base64.getEncoder()
            .encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public String toString() {
    return "GitCredential[" + user + "]";
  }
}
