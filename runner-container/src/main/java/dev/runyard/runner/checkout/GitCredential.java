package dev.runyard.runner.checkout;

import dev.runyard.core.request.GitAddress;
import java.util.Map;
import java.util.Optional;

/// What the runner shows a server of repositories. It is a variable of one git process and of what
/// that starts, and in no file and no argument: git asks for it by a line of shell, and only for
/// this server.
public record GitCredential(String user, String password) {
  /// Prints the variables when git asks for a credential.
  static final String HELPER =
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

  /// The setting that makes git ask for it.
  String setting(GitAddress address) {
    return "credential." + address.server() + ".helper";
  }

  Map<String, String> variables() {
    return Map.of("RUNYARD_GIT_USER", user, "RUNYARD_GIT_PASSWORD", password);
  }

  @Override
  public String toString() {
    return "GitCredential[" + user + "]";
  }
}
