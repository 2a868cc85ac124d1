package dev.runyard.runner.backend.codex;

import dev.runyard.core.problem.Failure;
import dev.runyard.runner.backend.cli.CliTrouble;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// What went wrong in a run of Codex, by meaning: signs common to all CLIs, and Codex's own. The
/// order is that of the search, the more specific signs first.
enum CodexTrouble {
  NO_KEY(CliTrouble.NO_KEY),
  KEY_REFUSED(CliTrouble.KEY_REFUSED, "info unauthorized"),
  ACCESS_DENIED(CliTrouble.ACCESS_DENIED),
  QUOTA(CliTrouble.QUOTA, "info usagelimitexceeded"),
  RATE_LIMITED(CliTrouble.RATE_LIMITED, "info ratelimitexceeded"),
  NO_SUCH_MODEL(CliTrouble.NO_SUCH_MODEL, "info modelnotfound"),
  CONTEXT_FULL(CliTrouble.CONTEXT_FULL, "info contextwindowexceeded"),
  SESSION_NOT_FOUND(CliTrouble.SESSION_NOT_FOUND, "no rollout found"),
  BAD_USAGE(
      CliTrouble.BAD_USAGE,
      "usage: codex",
      "error loading config",
      "error parsing -c overrides",
      "model provider `"),
  MODEL_UNAVAILABLE(CliTrouble.MODEL_UNAVAILABLE, "info internalservererror"),
  NETWORK(CliTrouble.NETWORK, "info httpconnectionfailed", "info responsestream"),
  REQUEST_REJECTED(CliTrouble.REQUEST_REJECTED, "info badrequest"),
  OTHER(CliTrouble.OTHER);

  private static final String AGENT = "Codex";

  private final CliTrouble common;
  private final String signs;

  CodexTrouble(CliTrouble common, String... signs) {
    this.common = common;
    this.signs = String.join("\n", signs);
  }

  Failure failure() {
    return common.failure(AGENT);
  }

  /// The meaning of a text of Codex; empty if it contains no known sign.
  static Optional<CodexTrouble> find(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    return Arrays.stream(values())
        .filter(
            trouble ->
                trouble.common.saidIn(lower) || trouble.signs.lines().anyMatch(lower::contains))
        .findFirst();
  }
}
