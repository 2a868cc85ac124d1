package dev.runyard.bench.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.runyard.bench.stack.AccessTokens;
import dev.runyard.cli.client.ServerSentEvents;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The HTTP API to a client that knows nothing but HTTP. Thread-safe.
final class Wire implements AutoCloseable {
  static final JsonMapper JSON = JsonMapper.builder().build();

  static final Duration ANSWER_MAX = Duration.ofMinutes(5);

  private static final int TRIES_MAX = 20;
  private static final int UNAVAILABLE = 500;

  private final URI server;
  private final Consumer<String> refused;
  private final Optional<String> token;
  private final AtomicInteger repeats = new AtomicInteger();
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  /// An answer, and whether the request was sent before, and may have been done.
  record Answer(int status, JsonNode json, boolean repeated) {}

  /// @param refused is told each answer by which the stack was at fault, with its body, also if the
  ///   same request succeeds when it is sent again
  Wire(URI server, Consumer<String> refused) {
    this.server = server;
    this.refused = refused;
    this.token = AccessTokens.of(server);
  }

  /// How often a request was sent again, as the API asks of its clients when it could not answer.
  int repeats() {
    return repeats.get();
  }

  Answer get(String path) throws IOException, InterruptedException {
    return answered(request(path));
  }

  /// Sends what may be sent again where it could not be answered, though it may have been done.
  Answer post(String path, String body) throws IOException, InterruptedException {
    return answered(posted(path, body));
  }

  /// Submits a run and returns its id. The key makes it safe to send the same again.
  String submit(String body) throws IOException, InterruptedException {
    HttpRequest.Builder request =
        posted("/v1/runs", body).header("Idempotency-Key", UUID.randomUUID().toString());
    Answer answer = answered(request);
    if (answer.status() != 202) {
      throw new IOException("a submit was answered with " + answer);
    }
    return answer.json().path("run_id").asText();
  }

  /// The run as it stands now, under `/v1`.
  JsonNode run(String runId) throws IOException, InterruptedException {
    return found("/v1/runs/" + runId);
  }

  JsonNode found(String path) throws IOException, InterruptedException {
    Answer answer = get(path);
    if (answer.status() != 200) {
      throw new IOException(path + " was answered with " + answer);
    }
    return answer.json();
  }

  /// A stream of a run's events. Closing it drops the connection.
  static final class Live implements AutoCloseable {
    private final InputStream body;
    private final ServerSentEvents events;
    private String last;

    private Live(InputStream body, ServerSentEvents events, long after) {
      this.body = body;
      this.events = events;
      this.last = Long.toString(after);
    }

    /// The next event, past what is told between events under the id of the one before.
    ServerSentEvents.@Nullable Message next() throws IOException {
      ServerSentEvents.Message message = events.next();
      while (message != null && last.equals(message.id())) {
        message = events.next();
      }
      last = message == null || message.id() == null ? last : message.id();
      return message;
    }

    /// True when the message is the run's event number `sequence`.
    static boolean is(ServerSentEvents.Message message, long sequence) {
      return Long.toString(sequence).equals(message.id());
    }

    @Override
    public void close() throws IOException {
      body.close();
    }
  }

  /// Opens the stream behind the sequence `after`; null when nothing is left of it.
  @Nullable Live open(String runId, long after) throws IOException, InterruptedException {
    HttpRequest.Builder request =
        request("/v1/runs/" + runId + "/events").header("Accept", "text/event-stream");
    if (after > 0) {
      request.header("Last-Event-ID", Long.toString(after));
    }
    HttpResponse<InputStream> answer = http.send(request.build(), BodyHandlers.ofInputStream());
    for (int i = 1; answer.statusCode() >= UNAVAILABLE; i++) {
      try (InputStream body = answer.body()) {
        refused(answer, body.readAllBytes());
      }
      if (i == TRIES_MAX) {
        break;
      }
      repeats.incrementAndGet();
      answer = http.send(request.build(), BodyHandlers.ofInputStream());
    }
    if (answer.statusCode() == 204) {
      return null;
    }
    if (answer.statusCode() != 200) {
      throw new IOException("a stream was answered with " + answer.statusCode());
    }
    return new Live(answer.body(), new ServerSentEvents(answer.body(), () -> {}), after);
  }

  /// The body of a run of the built-in echo.
  static String echo(int events, int intervalMillis) {
    return """
    {"agent":"echo","prompt":"A line of about eighty bytes, as a model's delta has when words are \
    gathered.","extensions":{"backend.echo.events":%d,"backend.echo.interval_millis":%d}}
    """
        .formatted(events, intervalMillis);
  }

  private HttpRequest.Builder request(String path) {
    HttpRequest.Builder request = HttpRequest.newBuilder(server.resolve(path)).timeout(ANSWER_MAX);
    token.ifPresent(text -> request.header("Authorization", "Bearer " + text));
    return request;
  }

  private HttpRequest.Builder posted(String path, String body) {
    return request(path)
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofString(body));
  }

  private Answer answered(HttpRequest.Builder request) throws IOException, InterruptedException {
    HttpResponse<byte[]> answer = http.send(request.build(), BodyHandlers.ofByteArray());
    int sent = 1;
    while (answer.statusCode() >= UNAVAILABLE) {
      refused(answer, answer.body());
      if (sent == TRIES_MAX) {
        break;
      }
      repeats.incrementAndGet();
      answer = http.send(request.build(), BodyHandlers.ofByteArray());
      sent++;
    }
    return new Answer(answer.statusCode(), JSON.readTree(answer.body()), sent > 1);
  }

  private void refused(HttpResponse<?> answer, byte[] body) {
    refused.accept(
        "%s %s was answered with %d %s"
            .formatted(
                answer.request().method(),
                answer.uri().getPath(),
                answer.statusCode(),
                new String(body, StandardCharsets.UTF_8)));
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
