package dev.runyard.local.http;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// An answer the front gives itself, where API Gateway would: RFC 9457 problem+json with the same
/// members as the problems of the functions.
record Problem(int status, String code, String detail) {
  private static final ObjectMapper JSON = new ObjectMapper();

  static final Problem NOT_FOUND = new Problem(404, "not_found", "There is no such path.");
  static final Problem WRONG_METHOD =
      new Problem(
          405,
          "method_not_allowed",
          "This path takes only the methods that the Allow header names.");
  static final Problem TOO_LARGE =
      new Problem(413, "body_too_large", "A request body has at most 10 MB.");
  static final Problem URI_TOO_LONG =
      new Problem(414, "uri_too_long", "The path and query are too long.");
  static final Problem HEADERS_TOO_LARGE =
      new Problem(431, "headers_too_large", "The headers of a request have at most 32 KiB.");
  static final Problem FOREIGN_HOST =
      new Problem(403, "forbidden_host", "The Host header must name the address of this stack.");
  static final Problem FOREIGN_ORIGIN =
      new Problem(403, "forbidden_origin", "Pages of other origins may not call this stack.");
  static final Problem INTERNAL =
      new Problem(502, "internal_error", "The function failed; its log says why.");

  void send(HttpExchange exchange) throws IOException {
    byte[] body = JSON.writeValueAsBytes(members());
    exchange.getResponseHeaders().set("Content-Type", "application/problem+json");
    if (exchange.getRequestMethod().equals("HEAD")) {
      exchange.sendResponseHeaders(status, -1);
      return;
    }
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
  }

  private Map<String, Object> members() {
    String words = code.replace('_', ' ');
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("type", "urn:runyard:problem:" + code.replace('_', '-'));
    members.put("title", Character.toUpperCase(words.charAt(0)) + words.substring(1));
    members.put("status", status);
    members.put("detail", detail);
    members.put("code", code);
    members.put("category", status < 500 ? "caller" : "internal");
    members.put("errors", List.of());
    return members;
  }
}
