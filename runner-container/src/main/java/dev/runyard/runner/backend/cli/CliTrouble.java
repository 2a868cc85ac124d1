package dev.runyard.runner.backend.cli;

import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What went wrong in a run of a CLI, told by meaning, with one code for all CLIs.
///
/// CLIs say it in prose, which may quote their input: only the code and the sentence of the
/// matching constant are stored. The order is that of the search, the more telling signs first.
public enum CliTrouble {
  NO_KEY(
      "no_key",
      Category.BACKEND,
      "%s has no key for its model provider. Give the runner the variable that the agent names for"
          + " its key, then submit again.",
      "missing environment variable",
      "not logged in",
      "no api key",
      "you must specify the gemini_api_key",
      "invalid auth method",
      "no auth type is selected",
      "no authentication information found",
      "missing api key",
      "api key is missing",
      "please set an auth method"),
  KEY_REFUSED(
      "key_refused",
      Category.BACKEND,
      "The model provider refused the key. Replace the agent's key, then submit again.",
      "401 unauthorized",
      "invalid_api_key",
      "incorrect api key",
      "api key not valid",
      "unauthenticated",
      "invalid x-api-key",
      "authentication_error",
      "authentication failed"),
  ACCESS_DENIED(
      "access_denied",
      Category.BACKEND,
      "The model provider denied access. Check what the agent's key may do.",
      "403 forbidden",
      "insufficient permissions",
      "permission_denied",
      "permission_error"),
  QUOTA(
      "quota_exhausted",
      Category.CAPACITY,
      "The quota at the model provider is used up. Check its plan and billing, or use another key.",
      "quota exceeded",
      "insufficient_quota",
      "exceeded your current quota",
      "usage limit",
      "spend limit",
      "out of credits",
      "credit balance is too low",
      "billing_error"),
  RATE_LIMITED(
      "rate_limited",
      Category.CAPACITY,
      "The model provider limits the rate of requests. Submit again later.",
      "429 too many requests",
      "rate limit",
      "rate_limit",
      "resource has been exhausted"),
  NO_SUCH_MODEL(
      "no_such_model",
      Category.CALLER,
      "The model provider does not offer this model. Name another one in agent_api.config.model.v1,"
          + " or leave it out.",
      "does not exist or you do not have access",
      "model_not_found",
      "model not found",
      "model is not supported",
      "is not found for api version",
      "not found on provider",
      "not_found_error",
      "providermodelnotfounderror"),
  CONTEXT_FULL(
      "context_full",
      Category.CALLER,
      "The conversation is longer than the model can read. Ask for less at once, or start a new"
          + " session.",
      "context window",
      "context_length_exceeded",
      "prompt is too long"),
  SESSION_NOT_FOUND(
      "session_not_found",
      Category.CALLER,
      "session not found",
      "no session found",
      "session not found",
      "no recorded session",
      "error resuming session",
      "no saved session",
      "no session, task, or name matched"),
  BAD_USAGE(
      "bad_usage",
      Category.BACKEND,
      "%s did not accept its command line or configuration. Compare the agent's arguments with the"
          + " version that is installed.",
      "unexpected argument",
      "unknown argument",
      "unknown option",
      "invalid value",
      "unrecognized subcommand",
      "configuration is invalid"),
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
      "api_error",
      "overloaded"),
  NETWORK(
      "network",
      Category.BACKEND,
      "%s lost or never had a connection to its model provider. Check the agent's endpoint and the"
          + " runner's network.",
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
      "dns error",
      "timed out",
      "terminated",
      "without a finish reason"),
  REQUEST_REJECTED(
      "request_rejected",
      Category.BACKEND,
      "The model provider rejected the request of %s. Check that the provider and the model fit the"
          + " version that is installed.",
      "invalid_request",
      "400 bad request",
      "invalid_argument"),
  OTHER(
      "agent_failed",
      Category.BACKEND,
      "%s could not finish its turn and gave a reason that is not known here. Run the same prompt by"
          + " hand to see it.");

  /// A status where prose names one: at the start, or after a word for it.
  private static final Pattern STATUS =
      Pattern.compile(
          "(?:^\\W*|\\b(?:http|status|status code|error|code|last error)\\b\\W{0,4})([45]\\d\\d)\\b");

  private final String code;
  private final Category category;
  private final String message;
  private final String signs;

  CliTrouble(String code, Category category, String message, String... signs) {
    this.code = code;
    this.category = category;
    this.message = message;
    this.signs = String.join("\n", signs);
  }

  /// The failure of a run of this agent.
  public Failure failure(String agent) {
    return new Failure(code, category, message.formatted(agent));
  }

  public String code() {
    return code;
  }

  /// What a text of a CLI tells; empty when nothing known is in it.
  public static Optional<CliTrouble> find(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    return Arrays.stream(values())
        .filter(trouble -> trouble.saidIn(lower))
        .findFirst()
        .or(() -> named(lower));
  }

  /// True where a text in lower case has one of the signs.
  public boolean saidIn(String lower) {
    return signs.lines().anyMatch(lower::contains);
  }

  /// What an HTTP status of the model provider tells; empty where it is no error.
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
