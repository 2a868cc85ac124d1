package dev.runyard.local.http;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import dev.runyard.core.access.Identity;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// Keeps out who may not call: a web page, which could reach this machine by another name or from
/// another origin, and whoever does not show the stack's access token. No path is open without it,
/// since what a path answers is somebody's prompts, or starts a program; but for a place of an
/// upload, whose path nobody can guess, a run's events with a stream token, which a function
/// checks, and routes that check by themselves who calls.
///
/// @param token shows that the stack's operator calls; without one, everybody is
/// @param bearer whether functions check keys and tokens: then whoever does not show the access
///   token is for them to judge
/// @param pages that may call although they are of another origin
record RequestGuard(Optional<AccessToken> token, boolean bearer, Pages pages) {
  /// Whoever started the stack, in place of the ARN of a principal.
  static final String OPERATOR = Identity.Operator.NAME;

  /// What becomes of a request.
  sealed interface Result {
    record Refused(GatewayProblem problem) implements Result {}

    /// It is to be answered.
    ///
    /// @param principal who calls, if that is known here
    record Passed(Optional<String> principal) implements Result {}
  }

  private static final int URI_CHARS_MAX = 8_192;
  private static final int HEADER_CHARS_MAX = 32_768;
  private static final Pattern EVENTS = Pattern.compile("/v1/runs/[^/]+/events");
  private static final Pattern STREAM_TOKEN = Pattern.compile("(^|&)stream_token=");
  private static final Pattern HOST =
      Pattern.compile("(?i)(127\\.0\\.0\\.1|localhost|\\[::1])(:[0-9]{1,5})?");

  Result check(HttpExchange exchange) {
    Headers headers = exchange.getRequestHeaders();
    return foreign(exchange)
        .<Result>map(Result.Refused::new)
        .orElseGet(
            () ->
                bearer || showsStreamToken(exchange)
                    ? new Result.Passed(operator(headers))
                    : signed(headers));
  }

  /// For a route that checks by itself who calls.
  Result checkOpen(HttpExchange exchange) {
    return foreign(exchange)
        .<Result>map(Result.Refused::new)
        .orElseGet(() -> new Result.Passed(Optional.empty()));
  }

  /// Whether a function judges the caller by a stream token, which is taken for a run's events
  /// alone.
  private static boolean showsStreamToken(HttpExchange exchange) {
    String query = exchange.getRequestURI().getRawQuery();
    return exchange.getRequestMethod().equals("GET")
        && query != null
        && STREAM_TOKEN.matcher(query).find()
        && EVENTS.matcher(exchange.getRequestURI().getRawPath()).matches();
  }

  private Optional<String> operator(Headers headers) {
    return token.filter(own -> isShown(own, headers)).map(_ -> OPERATOR);
  }

  private static boolean isShown(AccessToken token, Headers headers) {
    List<String> shown = headers.getOrDefault("Authorization", List.of());
    return shown.size() == 1 && token.isShownBy(shown.getFirst());
  }

  private Result signed(Headers headers) {
    return unknown(headers)
        .<Result>map(Result.Refused::new)
        .orElseGet(() -> new Result.Passed(Optional.of(OPERATOR)));
  }

  /// The same for a path that needs no token.
  Optional<GatewayProblem> foreign(HttpExchange exchange) {
    if (exchange.getRequestURI().toString().length() > URI_CHARS_MAX) {
      return Optional.of(GatewayProblem.URI_TOO_LONG);
    }
    Headers headers = exchange.getRequestHeaders();
    if (chars(headers) > HEADER_CHARS_MAX) {
      return Optional.of(GatewayProblem.HEADERS_TOO_LARGE);
    }
    if (!namesThisMachine(exchange)) {
      return Optional.of(GatewayProblem.FOREIGN_HOST);
    }
    String own = "http://" + headers.getFirst("Host");
    boolean foreign =
        headers.getOrDefault("Origin", List.of()).stream()
            .anyMatch(origin -> !origin.equalsIgnoreCase(own) && !pages.listed(origin));
    return foreign ? Optional.of(GatewayProblem.FOREIGN_ORIGIN) : Optional.empty();
  }

  /// False for a request that was sent to a name which only resolves to this machine.
  static boolean namesThisMachine(HttpExchange exchange) {
    List<String> hosts = exchange.getRequestHeaders().getOrDefault("Host", List.of());
    return hosts.size() == 1
        && HOST.matcher(hosts.getFirst()).matches()
        && !exchange.getRequestURI().isAbsolute();
  }

  private Optional<GatewayProblem> unknown(Headers headers) {
    if (token.isEmpty() || isShown(token.get(), headers)) {
      return Optional.empty();
    }
    return Optional.of(
        headers.containsKey("Authorization")
            ? GatewayProblem.INVALID_TOKEN
            : GatewayProblem.NO_TOKEN);
  }

  private static long chars(Headers headers) {
    return headers.entrySet().stream()
        .flatMap(header -> header.getValue().stream().map(v -> header.getKey() + v))
        .mapToLong(String::length)
        .sum();
  }
}
