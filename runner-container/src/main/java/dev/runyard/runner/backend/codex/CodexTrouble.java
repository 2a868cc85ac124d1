package dev.runyard.runner.backend.codex;

import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// What went wrong in a run of Codex, told by meaning.
///
/// Codex says it in prose, which may quote its input: only the code and the sentence of the
/// matching constant are stored. The order is that of the search, the more telling signs first.
enum CodexTrouble {
  NO_KEY(
      "no_key",
      Category.BACKEND,
      "Codex has no key for its model provider. Give the runner the variable that the agent names"
          + " for its key, then submit again.",
      "missing environment variable",
      "not logged in",
      "no api key"),
  KEY_REFUSED(
      "key_refused",
      Category.BACKEND,
      "The model provider refused the key. Replace the agent's key, then submit again.",
      "401 unauthorized",
      "invalid_api_key",
      "incorrect api key"),
  ACCESS_DENIED(
      "access_denied",
      Category.BACKEND,
      "The model provider denied access. Check what the agent's key may do.",
      "403 forbidden",
      "insufficient permissions"),
  QUOTA(
      "quota_exhausted",
      Category.CAPACITY,
      "The quota at the model provider is used up. Check its plan and billing, or use another key.",
      "quota exceeded",
      "insufficient_quota",
      "usage limit",
      "spend limit",
      "out of credits"),
  RATE_LIMITED(
      "rate_limited",
      Category.CAPACITY,
      "The model provider limits the rate of requests. Submit again later.",
      "429 too many requests",
      "rate limit",
      "rate_limit"),
  NO_SUCH_MODEL(
      "no_such_model",
      Category.CALLER,
      "The model provider does not offer this model. Name another one in agent_api.config.model.v1,"
          + " or leave it out.",
      "does not exist or you do not have access",
      "model_not_found",
      "model is not supported"),
  CONTEXT_FULL(
      "context_full",
      Category.CALLER,
      "The conversation is longer than the model can read. Ask for less at once, or start a new"
          + " session.",
      "context window",
      "context_length_exceeded"),
  SESSION_NOT_FOUND(
      "session_not_found",
      Category.CALLER,
      "session not found",
      "no rollout found",
      "no recorded session",
      "session not found"),
  BAD_USAGE(
      "bad_usage",
      Category.BACKEND,
      "Codex did not accept its command line or configuration. Compare the agent's arguments with"
          + " the version of Codex that is installed.",
      "unexpected argument",
      "usage: codex",
      "error loading config",
      "invalid value",
      "error parsing -c overrides",
      "model provider `",
      "unrecognized subcommand"),
  MODEL_UNAVAILABLE(
      "model_unavailable",
      Category.BACKEND,
      "The model provider is overloaded or failing. Submit again later.",
      "high demand",
      "at capacity",
      "500 internal server error",
      "502 bad gateway",
      "503 service unavailable",
      "server_error",
      "overloaded"),
  NETWORK(
      "network",
      Category.BACKEND,
      "Codex lost or never had a connection to its model provider. Check the agent's base URL and"
          + " the runner's network.",
      "waiting for network",
      "stream disconnected",
      "connection failed",
      "connection refused",
      "error sending request",
      "dns error",
      "timed out"),
  REQUEST_REJECTED(
      "request_rejected",
      Category.BACKEND,
      "The model provider rejected the request of Codex. Check that the provider and the model fit"
          + " the version of Codex that is installed.",
      "invalid_request",
      "400 bad request"),
  OTHER(
      "agent_failed",
      Category.BACKEND,
      "Codex could not finish its turn and gave a reason that is not known here. Run the same"
          + " prompt by hand to see it.");

  private final String code;
  private final Category category;
  private final String message;
  private final String signs;

  CodexTrouble(String code, Category category, String message, String... signs) {
    this.code = code;
    this.category = category;
    this.message = message;
    this.signs = String.join("\n", signs);
  }

  Failure failure() {
    return new Failure(code, category, message);
  }

  /// What a text of Codex tells; empty when nothing known is in it.
  static Optional<CodexTrouble> find(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    return Arrays.stream(values())
        .filter(trouble -> trouble.signs.lines().anyMatch(lower::contains))
        .findFirst();
  }
}
