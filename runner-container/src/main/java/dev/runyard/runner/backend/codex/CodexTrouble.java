package dev.runyard.runner.backend.codex;

import dev.runyard.core.problem.Failure;
import dev.runyard.runner.backend.AgentTrouble;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// What went wrong in a run of Codex, told by meaning.
///
/// Codex says it in prose, which may quote its input: only the code and the sentence of the
/// matching constant are stored. The order is that of the search, the more telling signs first.
enum CodexTrouble {
  NO_KEY(AgentTrouble.NO_KEY, "missing environment variable", "not logged in", "no api key"),
  KEY_REFUSED(AgentTrouble.KEY_REFUSED, "401 unauthorized", "invalid_api_key", "incorrect api key"),
  ACCESS_DENIED(AgentTrouble.ACCESS_DENIED, "403 forbidden", "insufficient permissions"),
  QUOTA(
      AgentTrouble.QUOTA,
      "quota exceeded",
      "insufficient_quota",
      "usage limit",
      "spend limit",
      "out of credits"),
  RATE_LIMITED(AgentTrouble.RATE_LIMITED, "429 too many requests", "rate limit", "rate_limit"),
  NO_SUCH_MODEL(
      AgentTrouble.NO_SUCH_MODEL,
      "does not exist or you do not have access",
      "model_not_found",
      "model is not supported"),
  CONTEXT_FULL(AgentTrouble.CONTEXT_FULL, "context window", "context_length_exceeded"),
  SESSION_NOT_FOUND(
      AgentTrouble.SESSION_NOT_FOUND,
      "no rollout found",
      "no recorded session",
      "session not found"),
  BAD_USAGE(
      AgentTrouble.BAD_USAGE,
      "unexpected argument",
      "usage: codex",
      "error loading config",
      "invalid value",
      "error parsing -c overrides",
      "model provider `",
      "unrecognized subcommand"),
  MODEL_UNAVAILABLE(
      AgentTrouble.MODEL_UNAVAILABLE,
      "high demand",
      "at capacity",
      "500 internal server error",
      "502 bad gateway",
      "503 service unavailable",
      "server_error",
      "overloaded"),
  NETWORK(
      AgentTrouble.NETWORK,
      "waiting for network",
      "stream disconnected",
      "connection failed",
      "connection refused",
      "error sending request",
      "dns error",
      "timed out"),
  REQUEST_REJECTED(AgentTrouble.REQUEST_REJECTED, "invalid_request", "400 bad request"),
  OTHER(AgentTrouble.OTHER);

  private final AgentTrouble trouble;
  private final String signs;

  CodexTrouble(AgentTrouble trouble, String... signs) {
    this.trouble = trouble;
    this.signs = String.join("\n", signs);
  }

  Failure failure() {
    return trouble.failure("Codex");
  }

  /// What a text of Codex tells; empty when nothing known is in it.
  static Optional<CodexTrouble> find(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    return Arrays.stream(values())
        .filter(trouble -> trouble.signs.lines().anyMatch(lower::contains))
        .findFirst();
  }
}
