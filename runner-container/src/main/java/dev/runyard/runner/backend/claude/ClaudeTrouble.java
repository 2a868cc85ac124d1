package dev.runyard.runner.backend.claude;

import dev.runyard.core.problem.Failure;
import dev.runyard.runner.backend.AgentTrouble;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// What went wrong in a run of Claude Code, found by the status of its model provider and by signs
/// in its messages, which are prose and are not stored. The order is that of the search.
enum ClaudeTrouble {
  NO_KEY(AgentTrouble.NO_KEY, "not logged in", "please run /login"),
  QUOTA(
      AgentTrouble.QUOTA,
      "credit balance is too low",
      "usage limit",
      "spend limit",
      "quota",
      "hit your limit"),
  CONTEXT_FULL(AgentTrouble.CONTEXT_FULL, "prompt is too long", "prompt_too_long"),
  MODEL_REFUSED(AgentTrouble.MODEL_REFUSED, "usage policy", "refusal"),
  AGENT_LIMIT(AgentTrouble.AGENT_LIMIT, "error_max_"),
  NO_SUCH_MODEL(AgentTrouble.NO_SUCH_MODEL, "issue with the selected model", "model_not_found"),
  KEY_REFUSED(AgentTrouble.KEY_REFUSED, "invalid api key", "oauth token has expired"),
  SESSION_NOT_FOUND(AgentTrouble.SESSION_NOT_FOUND, "no conversation found"),
  BAD_USAGE(
      AgentTrouble.BAD_USAGE,
      "unknown option",
      "unknown command",
      "argument missing",
      "is invalid. allowed choices",
      "invalid session id",
      "requires --",
      "cannot be used with"),
  NETWORK(
      AgentTrouble.NETWORK,
      "unable to connect",
      "connection error",
      "connection closed",
      "connectionrefused",
      "request timed out",
      "timed out"),
  ACCESS_DENIED(AgentTrouble.ACCESS_DENIED),
  RATE_LIMITED(AgentTrouble.RATE_LIMITED, "rate limit"),
  MODEL_UNAVAILABLE(AgentTrouble.MODEL_UNAVAILABLE, "overloaded", "server-side issue"),
  REQUEST_REJECTED(AgentTrouble.REQUEST_REJECTED, "api error: 4"),
  OTHER(AgentTrouble.OTHER);

  static final String AGENT = "Claude Code";

  private final AgentTrouble trouble;
  private final String signs;

  ClaudeTrouble(AgentTrouble trouble, String... signs) {
    this.trouble = trouble;
    this.signs = String.join("\n", signs);
  }

  Failure failure() {
    return trouble.failure(AGENT);
  }

  /// The meaning of a text of Claude Code; empty if it contains no known sign.
  static Optional<ClaudeTrouble> find(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    return Arrays.stream(values())
        .filter(trouble -> trouble.signs.lines().anyMatch(lower::contains))
        .findFirst();
  }

  /// The meaning of a status of the model provider; empty for 0 and for statuses that are not
  /// errors.
  static Optional<ClaudeTrouble> ofStatus(int status) {
    return switch (status) {
      case 401 -> Optional.of(KEY_REFUSED);
      case 402 -> Optional.of(QUOTA);
      case 403 -> Optional.of(ACCESS_DENIED);
      case 404 -> Optional.of(NO_SUCH_MODEL);
      case 429 -> Optional.of(RATE_LIMITED);
      default ->
          status >= 500
              ? Optional.of(MODEL_UNAVAILABLE)
              : status >= 400 ? Optional.of(REQUEST_REJECTED) : Optional.empty();
    };
  }

  /// The meaning of a response of the model provider: a few statuses have several meanings, which
  /// the text distinguishes.
  static ClaudeTrouble of(int status, String text) {
    Optional<ClaudeTrouble> said = find(text);
    boolean vague = status == 0 || status == 400 || status == 429;
    return (vague ? said.or(() -> ofStatus(status)) : ofStatus(status).or(() -> said))
        .orElse(OTHER);
  }
}
