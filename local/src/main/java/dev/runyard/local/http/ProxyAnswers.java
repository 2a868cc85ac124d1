package dev.runyard.local.http;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import dev.runyard.local.function.Invocation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Sends a function's response. A response that API Gateway would not accept, without a status or
/// larger than 6 MiB, is a failure of the function.
final class ProxyAnswers {
  static final int BODY_BYTES_MAX = 6 << 20;
  private static final Set<String> OWN_HEADERS =
      Set.of("content-length", "transfer-encoding", "connection", "keep-alive", "upgrade");

  private ProxyAnswers() {}

  static void send(HttpExchange exchange, Invocation invocation) throws IOException {
    Optional<APIGatewayProxyResponseEvent> answer = answer(invocation);
    if (answer.isEmpty()) {
      GatewayProblem.INTERNAL.send(exchange);
      return;
    }
    byte[] body = body(answer.get());
    if (body.length > BODY_BYTES_MAX) {
      GatewayProblem.INTERNAL.send(exchange);
      return;
    }
    copyHeaders(answer.get(), exchange.getResponseHeaders());
    int status = answer.get().getStatusCode();
    boolean bodiless = exchange.getRequestMethod().equals("HEAD") || status == 204 || status == 304;
    exchange.sendResponseHeaders(status, bodiless || body.length == 0 ? -1 : body.length);
    if (!bodiless && body.length > 0) {
      exchange.getResponseBody().write(body);
    }
  }

  private static Optional<APIGatewayProxyResponseEvent> answer(Invocation invocation) {
    return switch (invocation) {
      case Invocation.Failed(var cause) -> Optional.empty();
      case Invocation.Returned(var value) ->
          value instanceof APIGatewayProxyResponseEvent event && event.getStatusCode() != null
              ? Optional.of(event)
              : Optional.empty();
    };
  }

  private static byte[] body(APIGatewayProxyResponseEvent answer) {
    if (answer.getBody() == null) {
      return new byte[0];
    }
    return Boolean.TRUE.equals(answer.getIsBase64Encoded())
        ? Base64.getDecoder().decode(answer.getBody())
        : answer.getBody().getBytes(StandardCharsets.UTF_8);
  }

  /// If both maps have a header, the one with several values wins.
  private static void copyHeaders(APIGatewayProxyResponseEvent answer, Headers to) {
    Map<String, String> single = answer.getHeaders();
    if (single != null) {
      single.forEach((name, value) -> set(to, name, List.of(value)));
    }
    Map<String, List<String>> several = answer.getMultiValueHeaders();
    if (several != null) {
      several.forEach((name, values) -> set(to, name, values));
    }
  }

  private static void set(Headers to, String name, List<String> values) {
    if (!OWN_HEADERS.contains(name.toLowerCase(Locale.ROOT))) {
      to.put(name, List.copyOf(values));
    }
  }
}
