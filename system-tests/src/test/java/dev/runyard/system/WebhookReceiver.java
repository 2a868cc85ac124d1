package dev.runyard.system;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;

/// A server on this machine to which webhooks are delivered.
final class WebhookReceiver implements AutoCloseable {
  private final HttpServer server;
  private final BlockingQueue<Got> got = new LinkedBlockingQueue<>();
  private final Set<String> seen = new HashSet<>();
  private volatile int status = 200;

  /// What came, as it came.
  record Got(Map<String, String> headers, String body) {
    String id() {
      return String.valueOf(headers.get("webhook-id"));
    }
  }

  WebhookReceiver() throws IOException {
    this(0);
  }

  /// @param port 0 for a free one
  WebhookReceiver(int port) throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    server.createContext("/", this::take);
    server.setExecutor(Executors.newCachedThreadPool(Thread.ofPlatform().daemon().factory()));
    server.start();
  }

  private void take(HttpExchange exchange) throws IOException {
    Map<String, String> headers = new TreeMap<>();
    exchange
        .getRequestHeaders()
        .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values.getFirst()));
    byte[] body = exchange.getRequestBody().readAllBytes();
    exchange.sendResponseHeaders(status, -1);
    exchange.close();
    got.add(new Got(headers, new String(body, StandardCharsets.UTF_8)));
  }

  /// Answers with this status from now on.
  void answers(int code) {
    status = code;
  }

  String url() {
    return "http://127.0.0.1:" + port() + "/hook";
  }

  int port() {
    return server.getAddress().getPort();
  }

  /// The next that comes and did not come before: a delivery whose answer was not heard in time
  /// comes again.
  Got next() throws InterruptedException {
    Got next = got.take();
    while (!seen.add(next.id())) {
      next = got.take();
    }
    return next;
  }

  /// The next that comes again.
  Got again(String id) throws InterruptedException {
    Got next = got.take();
    while (!next.id().equals(id)) {
      assertTrue(seen.contains(next.id()), next::body);
      next = got.take();
    }
    return next;
  }

  /// How much came that did not come before, and nobody has asked for.
  long waiting() {
    return got.stream().filter(waiting -> !seen.contains(waiting.id())).count();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
