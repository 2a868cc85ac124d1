package dev.runyard.local.http;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// Keeps out who may not call: a web page, which could reach this machine by another name or from
/// another origin, and whoever does not show the stack's access token. No path is open without it,
/// since what a path answers is somebody's prompts, or starts a program; but for a place of an
/// upload, whose path nobody can guess, and for routes that check by themselves who calls.
record RequestGuard(Optional<AccessToken> token) {
  private static final int URI_CHARS_MAX = 8_192;
  private static final int HEADER_CHARS_MAX = 32_768;
  private static final Pattern HOST =
      Pattern.compile("(?i)(127\\.0\\.0\\.1|localhost|\\[::1])(:[0-9]{1,5})?");

  /// Why a request is refused; empty for one that may be answered.
  Optional<GatewayProblem> check(HttpExchange exchange) {
    return foreign(exchange).or(() -> unknown(exchange.getRequestHeaders()));
  }

  /// The same for a path that needs no token.
  static Optional<GatewayProblem> foreign(HttpExchange exchange) {
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
            .anyMatch(origin -> !origin.equalsIgnoreCase(own));
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
    List<String> shown = headers.getOrDefault("Authorization", List.of());
    if (token.isEmpty()) {
      return Optional.empty();
    }
    if (shown.isEmpty()) {
      return Optional.of(GatewayProblem.NO_TOKEN);
    }
    return shown.size() == 1 && token.get().isShownBy(shown.getFirst())
        ? Optional.empty()
        : Optional.of(GatewayProblem.INVALID_TOKEN);
  }

  private static long chars(Headers headers) {
    return headers.entrySet().stream()
        .flatMap(header -> header.getValue().stream().map(v -> header.getKey() + v))
        .mapToLong(String::length)
        .sum();
  }
}
