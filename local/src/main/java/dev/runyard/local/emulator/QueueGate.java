package dev.runyard.local.emulator;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.runyard.local.http.LoopbackServer;
import dev.runyard.local.rights.AccessCheck;
import dev.runyard.local.threads.StackThreads;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;

/// Stands before ElasticMQ, which cannot be told to ask, and lets through what the signer may do.
/// Runners and functions know this address, the stack itself the one behind it.
public final class QueueGate implements AutoCloseable {
  private static final Logger LOG = System.getLogger(QueueGate.class.getName());
  private static final int BODY_BYTES_MAX = 2 << 20;
  private static final String TARGET = "X-Amz-Target";
  private static final String TYPE = "Content-Type";
  private static final String JSON = "application/x-amz-json-1.0";

  /// Headers of an answer that the client reads; ElasticMQ's others are about its own connection.
  private static final Set<String> PASSED = Set.of("content-type", "x-amzn-query-error");

  private final URI queues;
  private final AccessCheck access;
  private final HttpServer server;
  private final ExecutorService threads = StackThreads.pool("queue-gate");
  private final HttpClient client;

  /// Starts listening on a free loopback port.
  ///
  /// @param queues where ElasticMQ is
  public QueueGate(URI queues, AccessCheck access) {
    this.queues = queues;
    this.access = access;
    client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).executor(threads).build();
    server = LoopbackServer.start(threads, this::answer);
  }

  /// Where functions and runners reach the queues.
  public URI endpoint() {
    return LoopbackServer.address(server);
  }

  /// A web page can cause neither this header nor this content type without asking first, and that
  /// question is not answered.
  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String target = exchange.getRequestHeaders().getFirst(TARGET);
      byte[] body = exchange.getRequestBody().readNBytes(BODY_BYTES_MAX + 1);
      if (target == null
          || body.length > BODY_BYTES_MAX
          || exchange.getRequestHeaders().containsKey("Origin")) {
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
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void pass(HttpExchange exchange, String target, byte[] body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(queues.resolve(exchange.getRequestURI().getRawPath()))
            .header(TARGET, target)
            .header(TYPE, JSON)
            .POST(BodyPublishers.ofByteArray(body))
            .build();
    HttpResponse<byte[]> answer = client.send(request, BodyHandlers.ofByteArray());
    answer
        .headers()
        .map()
        .forEach(
            (name, values) -> {
              if (PASSED.contains(name.toLowerCase(Locale.ROOT))) {
                exchange.getResponseHeaders().put(name, List.copyOf(values));
              }
            });
    write(exchange, answer.statusCode(), answer.body());
  }

  /// As SQS does it: the JSON names one exception type, the header the code clients know.
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
    client.shutdownNow();
  }
}
