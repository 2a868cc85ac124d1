package dev.runyard.local.emulator;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.runyard.local.http.LoopbackServer;
import dev.runyard.local.rights.AccessCheck;
import dev.runyard.local.threads.StackThreads;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;

/// A proxy in front of ElasticMQ, which cannot check rights itself: it passes on only what the
/// signer may do. Runners and functions use this address, the stack itself the one behind it, which
/// nobody else can guess.
public final class QueueGate implements AutoCloseable {
  private static final Logger LOG = System.getLogger(QueueGate.class.getName());
  private static final int BODY_BYTES_MAX = 2 << 20;
  private static final String TARGET = "X-Amz-Target";
  private static final String TYPE = "Content-Type";
  private static final String JSON = "application/x-amz-json-1.0";

  /// Headers of a response that the client reads; ElasticMQ's others are about its own connection.
  private static final Set<String> PASSED = Set.of("content-type", "x-amzn-query-error");

  private final URI queues;
  private final AccessCheck access;
  private final HttpServer server;
  private final ExecutorService threads = StackThreads.pool("queue-gate");

  /// Starts listening on a free loopback port.
  ///
  /// @param queues address of ElasticMQ
  public QueueGate(URI queues, AccessCheck access) {
    this.queues = queues;
    this.access = access;
    server = LoopbackServer.start(threads, this::answer);
  }

  /// The address of the queues for functions and runners.
  public URI endpoint() {
    return LoopbackServer.address(server);
  }

  /// A web page can send neither this header nor this content type without a preflight request,
  /// which is not answered.
  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String target = exchange.getRequestHeaders().getFirst(TARGET);
      byte[] body = exchange.getRequestBody().readNBytes(BODY_BYTES_MAX + 1);
      if (target == null || body.length > BODY_BYTES_MAX) {
        exchange.sendResponseHeaders(400, -1);
        return;
      }
      Optional<String> refusal =
          access.refusal(
              exchange.getRequestHeaders().getFirst("Authorization"), QueueAsks.of(target, body));
      if (refusal.isPresent()) {
        refuse(exchange, refusal.get());
      } else {
        pass(exchange, target, body);
      }
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "an SQS call was cut off", e);
      throw e;
    }
  }

  private void pass(HttpExchange exchange, String target, byte[] body) throws IOException {
    HttpURLConnection request =
        (HttpURLConnection)
            URI.create(queues + exchange.getRequestURI().getRawPath()).toURL().openConnection();
    request.setRequestMethod("POST");
    request.setRequestProperty(TARGET, target);
    request.setRequestProperty(TYPE, JSON);
    request.setDoOutput(true);
    try (OutputStream out = request.getOutputStream()) {
      out.write(body);
    }
    int status = request.getResponseCode();
    for (String name : PASSED) {
      String value = request.getHeaderField(name);
      if (value != null) {
        exchange.getResponseHeaders().set(name, value);
      }
    }
    try (InputStream in = status < 400 ? request.getInputStream() : request.getErrorStream()) {
      write(exchange, status, in == null ? new byte[0] : in.readAllBytes());
    }
  }

  /// Like SQS: the JSON names one exception type, the header the code that clients know.
  private static void refuse(HttpExchange exchange, String message) throws IOException {
    exchange.getResponseHeaders().set(TYPE, JSON);
    exchange.getResponseHeaders().set("x-amzn-query-error", "AccessDenied;Sender");
    byte[] body =
        JsonNodeFactory.instance
            .objectNode()
            .put("__type", "com.amazon.coral.service#AccessDeniedException")
            .put("message", message)
            .toString()
            .getBytes(StandardCharsets.UTF_8);
    write(exchange, 403, body);
  }

  private static void write(HttpExchange exchange, int status, byte[] body) throws IOException {
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
