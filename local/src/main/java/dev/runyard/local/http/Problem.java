package dev.runyard.local.http;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.util.Map;

/// An answer the front gives itself, as RFC 9457 problem+json with a stable code.
record Problem(int status, String code, String title) {
  private static final ObjectMapper JSON = new ObjectMapper();

  static final Problem NOT_FOUND = new Problem(404, "not_found", "No such path");
  static final Problem WRONG_METHOD =
      new Problem(405, "method_not_allowed", "The path does not take this method");
  static final Problem TOO_LARGE =
      new Problem(413, "request_too_large", "The body is larger than 10 MB");
  static final Problem URI_TOO_LONG =
      new Problem(414, "uri_too_long", "The path and query are too long");
  static final Problem HEADERS_TOO_LARGE =
      new Problem(431, "headers_too_large", "The headers are larger than 32 KiB");
  static final Problem FOREIGN_HOST =
      new Problem(403, "forbidden_host", "The Host header names another host");
  static final Problem FOREIGN_ORIGIN =
      new Problem(403, "forbidden_origin", "The request comes from a page of another origin");
  static final Problem INTERNAL =
      new Problem(502, "internal_error", "The function failed; its log says why");

  void send(HttpExchange exchange) throws IOException {
    byte[] body =
        JSON.writeValueAsBytes(
            Map.of("type", "about:blank", "title", title, "status", status, "code", code));
    exchange.getResponseHeaders().set("Content-Type", "application/problem+json");
    if (exchange.getRequestMethod().equals("HEAD")) {
      exchange.sendResponseHeaders(status, -1);
      return;
    }
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
  }
}
