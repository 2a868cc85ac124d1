package dev.runyard.local.embedded;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.runyard.core.artifact.Attachment;
import dev.runyard.core.artifact.ByteRange;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.embedded.SqliteLargeObjects;
import dev.runyard.local.http.GatewayProblem;
import java.io.IOException;

/// Gives what is at an address of this stack, or a part of it. The address is proof enough; who has
/// none is told nothing.
final class DownloadDoor implements HttpHandler {
  /// Most downloads at once, since a slow one holds a thread for long.
  static final int GETS_MAX = 32;

  private static final String READ_BY_PAGES =
      "ETag, Content-Disposition, Content-Range, Accept-Ranges";

  private static final GatewayProblem UNKNOWN =
      new GatewayProblem(403, "access_denied", "Nothing is to be had at this address.");
  private static final GatewayProblem EXPIRED =
      new GatewayProblem(403, "access_denied", "The address is closed. Ask for another.");
  private static final GatewayProblem BUSY =
      new GatewayProblem(503, "unavailable", "Too much is got at once. Get it again.");
  private static final GatewayProblem METHOD =
      new GatewayProblem(405, "method_not_allowed", "What is here is got with GET.");

  private final SqliteLargeObjects objects;
  private final StalledReaders readers;

  private DownloadDoor(SqliteLargeObjects objects, StalledReaders readers) {
    this.objects = objects;
    this.readers = readers;
  }

  /// @param readers looked at by whoever opens the door
  static HttpHandler of(SqliteLargeObjects objects, StalledReaders readers) {
    return new AddressDoor("GET", METHOD, BUSY, GETS_MAX, new DownloadDoor(objects, readers));
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    try {
      switch (found(exchange)) {
        case SqliteLargeObjects.Got.Unknown _ -> UNKNOWN.send(exchange);
        case SqliteLargeObjects.Got.Expired _ -> EXPIRED.send(exchange);
        case SqliteLargeObjects.Got.Found found -> send(exchange, found);
      }
    } catch (PortUnavailable e) {
      if (exchange.getResponseCode() != -1) {
        throw new IOException("the store fails", e);
      }
      BUSY.send(exchange);
    }
  }

  private SqliteLargeObjects.Got found(HttpExchange exchange) {
    return objects.get(exchange.getRequestURI().getRawPath());
  }

  private void send(HttpExchange exchange, SqliteLargeObjects.Got.Found found) throws IOException {
    Headers headers = exchange.getResponseHeaders();
    headers.set("Content-Type", found.label().contentType());
    headers.set("Content-Disposition", Attachment.named(found.label().name()));
    headers.set("X-Content-Type-Options", "nosniff");
    headers.set("Content-Security-Policy", "sandbox");
    headers.set("Cache-Control", "no-store");
    headers.set("Accept-Ranges", "bytes");
    headers.set("ETag", "\"" + found.version() + "\"");
    if (headers.containsKey("Access-Control-Allow-Origin")) {
      headers.set("Access-Control-Expose-Headers", READ_BY_PAGES);
    }
    switch (ByteRange.of(exchange.getRequestHeaders().getFirst("Range"), found.bytes())) {
      case ByteRange.All _ -> write(exchange, 200, found, 0, found.bytes());
      case ByteRange.Part part -> {
        headers.set("Content-Range", part.header(found.bytes()));
        write(exchange, 206, found, part.from(), part.length());
      }
      case ByteRange.Unsatisfiable _ -> {
        headers.set("Content-Range", "bytes */" + found.bytes());
        exchange.sendResponseHeaders(416, -1);
      }
    }
  }

  private void write(
      HttpExchange exchange, int status, SqliteLargeObjects.Got.Found found, long from, long length)
      throws IOException {
    exchange.sendResponseHeaders(status, length == 0 ? -1 : length);
    readers.write(exchange.getResponseBody(), out -> found.parts().write(out, from, length));
  }
}
