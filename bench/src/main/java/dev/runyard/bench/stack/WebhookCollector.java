package dev.runyard.bench.stack;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/// A server on this machine that webhooks are delivered to.
public final class WebhookCollector implements AutoCloseable {
  private static final ObjectMapper JSON = JsonMapper.builder().build();

  private final HttpServer server;
  private final BlockingQueue<Got> got = new LinkedBlockingQueue<>();

  /// A delivery, and when it was there.
  public record Got(Instant at, JsonNode body) {}

  public WebhookCollector() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          Instant at = Instant.now();
          JsonNode body = JSON.readTree(exchange.getRequestBody().readAllBytes());
          exchange.sendResponseHeaders(204, -1);
          exchange.close();
          got.add(new Got(at, body));
        });
    server.start();
  }

  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
  }

  public Got next() throws InterruptedException {
    return got.take();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
