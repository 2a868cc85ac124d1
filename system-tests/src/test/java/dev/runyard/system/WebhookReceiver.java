package dev.runyard.system;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;

/// A server on this machine to which webhooks are delivered.
final class WebhookReceiver implements AutoCloseable {
  private final HttpServer server;
  private final BlockingQueue<Got> got = new LinkedBlockingQueue<>();
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

  /// The next that comes.
  Got next() throws InterruptedException {
    return got.take();
  }

  /// What came and nobody has asked for.
  int waiting() {
    return got.size();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
