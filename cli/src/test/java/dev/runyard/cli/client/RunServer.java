package dev.runyard.cli.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/// A server whose responses a test sets in advance, by method and path.
public final class RunServer implements AutoCloseable {
  private final HttpServer http;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Map<String, Answer> answers = new ConcurrentHashMap<>();
  private final List<Request> requests = new CopyOnWriteArrayList<>();

  /// A client's request.
  public record Request(
      String line, String body, @Nullable String idempotencyKey, @Nullable String lastEventId) {}

  /// Writes one answer.
  @FunctionalInterface
  public interface Answer {
    void write(HttpExchange exchange, Request request) throws IOException;
  }

  public RunServer() {
    try {
      http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    http.setExecutor(threads);
    http.createContext("/", this::serve);
    http.start();
  }

  public URI uri() {
    return URI.create("http://127.0.0.1:" + http.getAddress().getPort());
  }

  /// A client of this server that does not pause before it sends a read again.
  public RunyardClient client() {
    return new RunyardClient(uri(), Sender.of(uri(), new Identification.None()), _ -> {});
  }

  public List<Request> requests() {
    return requests;
  }

  /// Answers requests such as `GET /v1/runs` with `answer`.
  public RunServer on(String call, Answer answer) {
    answers.put(call, answer);
    return this;
  }

  public RunServer on(String call, int status, String body) {
    return on(call, (exchange, _) -> respond(exchange, status, body));
  }

  @Override
  public void close() {
    http.stop(0);
    threads.shutdownNow();
  }

  /// Starts a stream; what is written is sent at once.
  public static OutputStream stream(HttpExchange exchange) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
    exchange.sendResponseHeaders(200, 0);
    return exchange.getResponseBody();
  }

  /// One event of the stream.
  public static void event(OutputStream out, long sequence, String type, String payload)
      throws IOException {
    String message =
        "id: %1$d\nevent: %2$s\ndata: {\"type\":\"%2$s\",\"sequence\":%1$d,\"payload\":%3$s}\n\n"
            .formatted(sequence, type, payload);
    out.write(message.getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      String call = exchange.getRequestMethod() + " " + exchange.getRequestURI().getPath();
      Request request =
          new Request(
              exchange.getRequestMethod() + " " + exchange.getRequestURI(),
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8),
              exchange.getRequestHeaders().getFirst("Idempotency-Key"),
              exchange.getRequestHeaders().getFirst("Last-Event-ID"));
      requests.add(request);
      Answer answer = answers.get(call);
      if (answer == null) {
        respond(
            exchange,
            404,
            "{\"status\":404,\"code\":\"not_found\",\"detail\":\"no " + call + "\"}");
      } else {
        answer.write(exchange, request);
      }
    }
  }

  /// Answers with this body.
  public static void respond(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }
}
