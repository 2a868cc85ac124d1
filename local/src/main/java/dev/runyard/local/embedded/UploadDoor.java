package dev.runyard.local.embedded;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.embedded.SqliteUploadPlaces;
import dev.runyard.local.http.GatewayProblem;
import java.io.IOException;
import java.util.Optional;

/// Takes what is put at a place of this stack. The address is proof enough; who has none is told
/// nothing. Few at a time, since each is held in memory.
final class UploadDoor implements HttpHandler {
  /// Most uploads that come in at once.
  static final int PUTS_MAX = 4;

  private static final GatewayProblem UNKNOWN =
      new GatewayProblem(403, "access_denied", "This address is no place of an upload.");
  private static final GatewayProblem EXPIRED =
      new GatewayProblem(403, "access_denied", "The place is closed. Ask for another.");
  private static final GatewayProblem OTHER =
      new GatewayProblem(
          400, "other_bytes", "These are not the bytes that size_bytes and sha256 have named.");
  private static final GatewayProblem BUSY =
      new GatewayProblem(503, "unavailable", "Too much comes in at once. Put it again.");
  private static final GatewayProblem METHOD =
      new GatewayProblem(405, "method_not_allowed", "An upload is put here, once with PUT.");

  private final SqliteUploadPlaces places;

  private UploadDoor(SqliteUploadPlaces places) {
    this.places = places;
  }

  static HttpHandler of(SqliteUploadPlaces places) {
    return new AddressDoor("PUT", METHOD, BUSY, PUTS_MAX, new UploadDoor(places));
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    answer(exchange, put(exchange));
  }

  private Optional<GatewayProblem> put(HttpExchange exchange) throws IOException {
    try {
      return switch (places.put(exchange.getRequestURI().getRawPath(), exchange.getRequestBody())) {
        case STORED -> Optional.empty();
        case UNKNOWN -> Optional.of(UNKNOWN);
        case EXPIRED -> Optional.of(EXPIRED);
        case OTHER_BYTES -> Optional.of(OTHER);
      };
    } catch (PortUnavailable _) {
      return Optional.of(BUSY);
    }
  }

  private static void answer(HttpExchange exchange, Optional<GatewayProblem> problem)
      throws IOException {
    if (problem.isPresent()) {
      problem.get().send(exchange);
    } else {
      exchange.sendResponseHeaders(200, -1);
    }
  }
}
