package dev.runyard.local.http;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// Keeps web pages out. The server accepts commands without credentials, so a page must not reach
/// it by a name that resolves to this machine or from another origin.
final class RequestGuard {
  private static final int URI_CHARS_MAX = 8_192;
  private static final int HEADER_CHARS_MAX = 32_768;
  private static final Pattern HOST =
      Pattern.compile("(?i)(127\\.0\\.0\\.1|localhost|\\[::1])(:[0-9]{1,5})?");

  private RequestGuard() {}

  static Optional<GatewayProblem> check(HttpExchange exchange) {
    if (exchange.getRequestURI().toString().length() > URI_CHARS_MAX) {
      return Optional.of(GatewayProblem.URI_TOO_LONG);
    }
    Headers headers = exchange.getRequestHeaders();
    if (chars(headers) > HEADER_CHARS_MAX) {
      return Optional.of(GatewayProblem.HEADERS_TOO_LARGE);
    }
    List<String> hosts = headers.getOrDefault("Host", List.of());
    if (hosts.size() != 1
        || !HOST.matcher(hosts.getFirst()).matches()
        || exchange.getRequestURI().isAbsolute()) {
      return Optional.of(GatewayProblem.FOREIGN_HOST);
    }
    String own = "http://" + hosts.getFirst();
    boolean foreign =
        headers.getOrDefault("Origin", List.of()).stream()
            .anyMatch(origin -> !origin.equalsIgnoreCase(own));
    return foreign ? Optional.of(GatewayProblem.FOREIGN_ORIGIN) : Optional.empty();
  }

  private static long chars(Headers headers) {
    return headers.entrySet().stream()
        .flatMap(header -> header.getValue().stream().map(v -> header.getKey() + v))
        .mapToLong(String::length)
        .sum();
  }
}
