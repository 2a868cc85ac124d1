package dev.runyard.runner.backend.acp;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.runner.backend.AgentTrouble;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What went wrong in a run of an agent, told by signs in what it says, which is prose and stays
/// where it is. The order is that of the search.
enum AcpTrouble {
  NO_KEY(
      AgentTrouble.NO_KEY,
      "authentication required",
      "not logged in",
      "please run /login",
      "no api key",
      "missing api key",
      "api key is missing",
      "missing environment variable",
      "no authentication"),
  QUOTA(
      AgentTrouble.QUOTA,
      "quota exceeded",
      "exceeded your current quota",
      "insufficient_quota",
      "usage limit",
      "spend limit",
      "credit balance is too low",
      "out of credits",
      "billing_error"),
  CONTEXT_FULL(
      AgentTrouble.CONTEXT_FULL,
      "context_length_exceeded",
      "context window",
      "prompt is too long",
      "prompt_too_long"),
  NO_SUCH_MODEL(
      AgentTrouble.NO_SUCH_MODEL,
      "model_not_found",
      "model not found",
      "does not exist or you do not have access",
      "issue with the selected model",
      "is not found for api version",
      "not found on provider",
      "model is not supported"),
  KEY_REFUSED(
      AgentTrouble.KEY_REFUSED,
      "authentication failed",
      "authentication_failed",
      "authentication_error",
      "incorrect api key",
      "invalid api key",
      "invalid_api_key",
      "invalid x-api-key",
      "api key not valid",
      "unauthenticated",
      "401 unauthorized"),
  SESSION_NOT_FOUND(
      AgentTrouble.SESSION_NOT_FOUND,
      "session not found",
      "no conversation found",
      "no session found",
      "no rollout found",
      "unknown session",
      "resource not found"),
  BAD_USAGE(
      AgentTrouble.BAD_USAGE,
      "unknown option",
      "unknown argument",
      "unexpected argument",
      "unknown command",
      "configuration is invalid"),
  ACCESS_DENIED(
      AgentTrouble.ACCESS_DENIED, "403 forbidden", "permission_denied", "insufficient permissions"),
  RATE_LIMITED(
      AgentTrouble.RATE_LIMITED,
      "rate limit",
      "rate_limit",
      "too many requests",
      "resource has been exhausted"),
  MODEL_UNAVAILABLE(
      AgentTrouble.MODEL_UNAVAILABLE,
      "overloaded",
      "high demand",
      "at capacity",
      "server_error",
      "server-side issue",
      "internal server error",
      "service unavailable"),
  NETWORK(
      AgentTrouble.NETWORK,
      "unable to connect",
      "cannot connect",
      "could not connect",
      "connection error",
      "connection failed",
      "connection refused",
      "connection closed",
      "stream disconnected",
      "error sending request",
      "fetch failed",
      "econnrefused",
      "econnreset",
      "enotfound",
      "timed out"),
  REQUEST_REJECTED(AgentTrouble.REQUEST_REJECTED, "invalid_request", "invalid_argument"),
  OTHER(AgentTrouble.OTHER);

  private static final int AUTH_REQUIRED = -32000;
  private static final int RESOURCE_NOT_FOUND = -32002;

  /// A status where prose names one: at the start, or behind a word for it.
  private static final Pattern STATUS =
      Pattern.compile(
          "(?:^\\W*|\\b(?:http|status|code|error|details|message)\\b\\W{0,4})([45]\\d\\d)\\b");

  private final AgentTrouble trouble;
  private final String signs;

  AcpTrouble(AgentTrouble trouble, String... signs) {
    this.trouble = trouble;
    this.signs = String.join("\n", signs);
  }

  /// What a text of an agent tells; empty when nothing known is in it.
  static Optional<AgentTrouble> find(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    return Arrays.stream(values())
        .filter(trouble -> trouble.signs.lines().anyMatch(lower::contains))
        .map(found -> found.trouble)
        .findFirst()
        .or(() -> named(lower));
  }

  /// What an error of the protocol tells.
  static AgentTrouble of(JsonNode error) {
    int code = error.path("code").asInt(0);
    JsonNode data = error.path("data");
    String details = data.isMissingNode() || data.isNull() ? "" : data.toString();
    return switch (code) {
      case AUTH_REQUIRED -> AgentTrouble.NO_KEY;
      case RESOURCE_NOT_FOUND -> AgentTrouble.SESSION_NOT_FOUND;
      default ->
          find(error.path("message").asText("") + "\n" + details)
              .or(() -> ofStatus(code))
              .orElse(AgentTrouble.OTHER);
    };
  }

  private static Optional<AgentTrouble> named(String lower) {
    Matcher status = STATUS.matcher(lower);
    return status.find() ? ofStatus(Integer.parseInt(status.group(1))) : Optional.empty();
  }

  private static Optional<AgentTrouble> ofStatus(int status) {
    return switch (status) {
      case 401 -> Optional.of(AgentTrouble.KEY_REFUSED);
      case 402 -> Optional.of(AgentTrouble.QUOTA);
      case 403 -> Optional.of(AgentTrouble.ACCESS_DENIED);
      case 404 -> Optional.of(AgentTrouble.NO_SUCH_MODEL);
      case 429 -> Optional.of(AgentTrouble.RATE_LIMITED);
      default ->
          status >= 500 && status < 600
              ? Optional.of(AgentTrouble.MODEL_UNAVAILABLE)
              : status >= 400 && status < 500
                  ? Optional.of(AgentTrouble.REQUEST_REJECTED)
                  : Optional.empty();
    };
  }
}
