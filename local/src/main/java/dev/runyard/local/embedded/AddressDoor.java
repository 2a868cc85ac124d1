package dev.runyard.local.embedded;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.runyard.local.http.GatewayProblem;
import java.io.IOException;
import java.util.concurrent.Semaphore;

/// What stands in front of addresses that are proof enough: one method, and only so many at once,
/// since each holds a thread or memory.
final class AddressDoor implements HttpHandler {
  private final String method;
  private final GatewayProblem other;
  private final GatewayProblem busy;
  private final Semaphore room;
  private final HttpHandler inside;

  /// @param other answered to any other method
  /// @param busy answered to one too many
  AddressDoor(
      String method, GatewayProblem other, GatewayProblem busy, int most, HttpHandler inside) {
    this.method = method;
    this.other = other;
    this.busy = busy;
    this.room = new Semaphore(most);
    this.inside = inside;
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    if (!exchange.getRequestMethod().equals(method)) {
      exchange.getResponseHeaders().set("Allow", method);
      other.send(exchange);
      return;
    }
    if (!room.tryAcquire()) {
      busy.send(exchange);
      return;
    }
    try {
      inside.handle(exchange);
    } finally {
      room.release();
    }
  }
}
