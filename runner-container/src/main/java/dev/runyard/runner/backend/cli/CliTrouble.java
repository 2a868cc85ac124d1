package dev.runyard.runner.backend.cli;

import dev.runyard.core.problem.Failure;
import dev.runyard.runner.backend.AgentTrouble;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// How CLIs report what went wrong.
///
/// They use prose, which may quote their input, so only the code and the sentence of the matching
/// constant are stored. The order is that of the search, the more specific signs first.
public enum CliTrouble {
  NO_KEY(
      AgentTrouble.NO_KEY,
      "missing environment variable",
      "not logged in",
      "please run /login",
      "authentication required",
      "no api key",
      "you must specify the gemini_api_key",
      "invalid auth method",
      "no auth type is selected",
      "no authentication information found",
      "missing api key",
      "api key is missing",
      "please set an auth method"),
  KEY_REFUSED(
      AgentTrouble.KEY_REFUSED,
      "401 unauthorized",
      "invalid_api_key",
      "incorrect api key",
      "invalid api key",
      "authentication_failed",
      "api key not valid",
      "unauthenticated",
      "invalid x-api-key",
      "authentication_error",
      "authentication failed"),
  ACCESS_DENIED(
      AgentTrouble.ACCESS_DENIED,
      "403 forbidden",
      "insufficient permissions",
      "permission_denied",
      "permission_error"),
  QUOTA(
      AgentTrouble.QUOTA,
      "quota exceeded",
      "insufficient_quota",
      "exceeded your current quota",
      "usage limit",
      "spend limit",
      "out of credits",
      "credit balance is too low",
      "billing_error"),
  RATE_LIMITED(
      AgentTrouble.RATE_LIMITED,
      "too many requests",
      "rate limit",
      "rate_limit",
      "resource has been exhausted"),
  NO_SUCH_MODEL(
      AgentTrouble.NO_SUCH_MODEL,
      "does not exist or you do not have access",
      "model_not_found",
      "model not found",
      "model is not supported",
      "is not found for api version",
      "not found on provider",
      "not_found_error",
      "providermodelnotfounderror"),
  CONTEXT_FULL(
      AgentTrouble.CONTEXT_FULL, "context window", "context_length_exceeded", "prompt is too long"),
  SESSION_NOT_FOUND(
      AgentTrouble.SESSION_NOT_FOUND,
      "no session found",
      "no conversation found",
      "no rollout found",
      "resource not found",
      "session not found",
      "no recorded session",
      "error resuming session",
      "no saved session",
      "no session, task, or name matched"),
  BAD_USAGE(
      AgentTrouble.BAD_USAGE,
      "unexpected argument",
      "unknown argument",
      "unknown option",
      "invalid value",
      "unrecognized subcommand",
      "show version number",
      "configuration is invalid"),
  MODEL_UNAVAILABLE(
      AgentTrouble.MODEL_UNAVAILABLE,
      "high demand",
      "server-side issue",
      "at capacity",
      "500 internal server error",
      "502 bad gateway",
      "503 service unavailable",
      "server_error",
      "api_error",
      "overloaded"),
  NETWORK(
      AgentTrouble.NETWORK,
      "waiting for network",
      "stream disconnected",
      "connection failed",
      "connection refused",
      "connection error",
      "connection was refused",
      "unable to connect",
      "could not connect",
      "cannot connect to api",
      "error sending request",
      "fetch failed",
      "econnrefused",
      "econnreset",
      "enotfound",
      "eai_again",
      "other side closed",
      "error reading a body from connection",
      "dns error",
      "timed out",
      "terminated",
      "without a finish reason"),
  REQUEST_REJECTED(
      AgentTrouble.REQUEST_REJECTED, "invalid_request", "400 bad request", "invalid_argument"),
  OTHER(AgentTrouble.OTHER);

  /// A status in prose: at the start, or after a word for it.
  private static final Pattern STATUS =
      Pattern.compile(
          "(?:^\\W*|\\b(?:http|status|status code|error|code|last"
              + " error|details|message)\\b\\W{0,4})([45]\\d\\d)\\b");

  private final AgentTrouble trouble;
  private final String signs;

  CliTrouble(AgentTrouble trouble, String... signs) {
    this.trouble = trouble;
    this.signs = String.join("\n", signs);
  }

  /// The failure of a run of this agent.
  public Failure failure(String agent) {
    return trouble.failure(agent);
  }

  /// What went wrong, for every CLI.
  public AgentTrouble meaning() {
    return trouble;
  }

  public String code() {
    return trouble.code();
  }

  /// The meaning of a text of a CLI; empty if it contains no known sign.
  public static Optional<CliTrouble> find(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    return Arrays.stream(values())
        .filter(trouble -> trouble.saidIn(lower))
        .findFirst()
        .or(() -> named(lower));
  }

  /// True if a text in lower case has one of the signs.
  public boolean saidIn(String lower) {
    return signs.lines().anyMatch(lower::contains);
  }

  /// The meaning of an HTTP status of the model provider; empty if it is not an error.
  public static Optional<CliTrouble> ofStatus(int status) {
    return switch (status) {
      case 401 -> Optional.of(KEY_REFUSED);
      case 402 -> Optional.of(QUOTA);
      case 403 -> Optional.of(ACCESS_DENIED);
      case 404 -> Optional.of(NO_SUCH_MODEL);
      case 429 -> Optional.of(RATE_LIMITED);
      default ->
          status >= 500 && status < 600
              ? Optional.of(MODEL_UNAVAILABLE)
              : status >= 400 && status < 500 ? Optional.of(REQUEST_REJECTED) : Optional.empty();
    };
  }

  private static Optional<CliTrouble> named(String lower) {
    Matcher status = STATUS.matcher(lower);
    return status.find() ? ofStatus(Integer.parseInt(status.group(1))) : Optional.empty();
  }
}
