package dev.runyard.local.http;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A response of the front server itself, as API Gateway would give one: RFC 9457 problem+json with
/// the same members as the problems of the functions.
public record GatewayProblem(int status, String code, String detail) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int BUSY_STATUS = 503;
  private static final String RETRY_SECONDS = "5";

  static final GatewayProblem NOT_FOUND =
      new GatewayProblem(404, "not_found", "There is no such path.");
  static final GatewayProblem WRONG_METHOD =
      new GatewayProblem(
          405,
          "method_not_allowed",
          "This path takes only the methods that the Allow header names.");
  static final GatewayProblem TOO_LARGE =
      new GatewayProblem(413, "body_too_large", "A request body has at most 10 MB.");
  static final GatewayProblem URI_TOO_LONG =
      new GatewayProblem(414, "uri_too_long", "The path and query are too long.");
  static final GatewayProblem HEADERS_TOO_LARGE =
      new GatewayProblem(431, "headers_too_large", "The headers of a request have at most 32 KiB.");
  static final GatewayProblem FOREIGN_HOST =
      new GatewayProblem(
          403, "forbidden_host", "The Host header must name the address of this stack.");
  static final GatewayProblem FOREIGN_ORIGIN =
      new GatewayProblem(
          403, "forbidden_origin", "Pages of other origins may not call this stack.");
  static final GatewayProblem NO_TOKEN =
      new GatewayProblem(
          401,
          "no_token",
          "This stack takes requests of the user who started it. Send its access token, which is in"
              + " the file tokens/PORT of that user's cache, ~/.cache/runyard or, for root,"
              + " /var/cache/runyard, as Authorization: Bearer TOKEN.");
  static final GatewayProblem INVALID_TOKEN =
      new GatewayProblem(
          401,
          "invalid_token",
          "This is not the stack's access token. Every start makes a new one: read the file"
              + " tokens/PORT of the cache, ~/.cache/runyard or, for root, /var/cache/runyard,"
              + " again.");
  static final GatewayProblem BUSY =
      new GatewayProblem(
          503,
          "unavailable",
          "Nothing was free to answer, as when too many readers wait at once. Try again in some"
              + " seconds.");
  static final GatewayProblem INTERNAL =
      new GatewayProblem(502, "internal_error", "The function failed; its log says why.");

  /// Ends the exchange with it.
  public void send(HttpExchange exchange) throws IOException {
    byte[] body = JSON.writeValueAsBytes(members());
    exchange.getResponseHeaders().set("Content-Type", "application/problem+json");
    if (status == 401) {
      exchange.getResponseHeaders().set("WWW-Authenticate", AccessToken.SCHEME.strip());
    }
    if (status == BUSY_STATUS) {
      exchange.getResponseHeaders().set("Retry-After", RETRY_SECONDS);
    }
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
    members.put(
        "category", status < 500 ? "caller" : status == BUSY_STATUS ? "capacity" : "internal");
    members.put("errors", List.of());
    return members;
  }
}
