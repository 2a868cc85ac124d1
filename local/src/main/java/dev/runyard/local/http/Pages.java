package dev.runyard.local.http;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import dev.runyard.local.template.CorsDeclaration;
import java.io.IOException;
import java.util.List;

/// The web pages of other origins that may call a stack on this machine (CORS). A browser asks
/// before most requests of theirs; that question is answered whoever asks, since it carries nothing
/// that shows who calls.
record Pages(CorsDeclaration declared) {
  /// Whether an origin is listed.
  boolean listed(String origin) {
    return declared.origins().contains(origin);
  }

  /// Whether a browser asks for a page of a listed origin.
  boolean asks(HttpExchange exchange) {
    Headers headers = exchange.getRequestHeaders();
    return exchange.getRequestMethod().equals("OPTIONS")
        && headers.containsKey("Access-Control-Request-Method")
        && !listedOrigins(headers).isEmpty();
  }

  /// Lets a page of a listed origin read what is answered, be it by this server itself.
  void allow(HttpExchange exchange) {
    if (declared.origins().isEmpty()) {
      return;
    }
    exchange.getResponseHeaders().set("Vary", "Origin");
    for (String origin : listedOrigins(exchange.getRequestHeaders())) {
      exchange.getResponseHeaders().set("Access-Control-Allow-Origin", origin);
      exchange.getResponseHeaders().set("Access-Control-Expose-Headers", "Retry-After, Allow");
    }
  }

  /// Answers what a browser asks.
  void answer(HttpExchange exchange) throws IOException {
    Headers headers = exchange.getResponseHeaders();
    headers.set("Access-Control-Allow-Methods", declared.methods());
    headers.set("Access-Control-Allow-Headers", declared.headers());
    headers.set("Access-Control-Max-Age", declared.maxAge());
    exchange.sendResponseHeaders(204, -1);
  }

  private List<String> listedOrigins(Headers headers) {
    List<String> origins = headers.getOrDefault("Origin", List.of());
    return origins.size() == 1 && listed(origins.getFirst()) ? origins : List.of();
  }
}
