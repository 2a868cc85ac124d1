package dev.runyard.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.cli.client.ServerSentEvents;
import dev.runyard.functions.openapi.ApiDocument;
import dev.runyard.testkit.git.GitServer;
import dev.runyard.testkit.openapi.CheckedClient;
import dev.runyard.testkit.openapi.DescribedApi;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/// The HTTP API for a client that knows only HTTP.
public final class Api implements AutoCloseable {
  public static final JsonMapper JSON = JsonMapper.builder().build();
  public static final String TYPE = "application/json";
  private static final String EVENTS = "/v1/runs/id/events";
  private static final int TRIES_MAX = 5;
  private static final int UNAVAILABLE = 503;
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  /// What every answer that these tests read is compared with.
  private static final DescribedApi DESCRIBED = new DescribedApi(ApiDocument.json());

  private final URI uri;
  private final String token;
  private final Queue<String> refusals;
  private final Consumer<Api> last;
  private volatile boolean began;
  private final HttpClient client =
      new CheckedClient(
          HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build(), DESCRIBED);

  /// A response and its body as JSON; missing if there is none.
  public record Answer(HttpResponse<byte[]> http, JsonNode json) {
    public int status() {
      return http.statusCode();
    }

    public String code() {
      return json.path("code").asText();
    }

    public String type() {
      return http.headers().firstValue("Content-Type").orElse("");
    }
  }

  /// @param token the stack's access token
  public Api(URI uri, String token) {
    this(uri, token, new ConcurrentLinkedQueue<>(), _ -> {});
  }

  private Api(URI uri, String token, Queue<String> refusals, Consumer<Api> last) {
    this.uri = uri;
    this.token = token;
    this.refusals = refusals;
    this.last = last;
  }

  /// The same stack for another caller.
  ///
  /// @param last is done for the caller before the client is closed
  Api as(String credential, Consumer<Api> last) {
    return new Api(uri, credential, refusals, last);
  }

  /// Whether a run of this caller was accepted by [#run].
  boolean hasBegunRuns() {
    return began;
  }

  /// The answers so far by which the stack, not the caller, was at fault, also those after which a
  /// request was sent again.
  List<String> refusals() {
    return List.copyOf(refusals);
  }

  String token() {
    return token;
  }

  URI uri() {
    return uri;
  }

  public HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(uri + path))
        .header("Authorization", "Bearer " + token);
  }

  public Answer send(HttpRequest.Builder request) throws IOException, InterruptedException {
    HttpResponse<byte[]> http = answer(request, BodyHandlers.ofByteArray());
    return new Answer(
        http, http.body().length == 0 ? JSON.missingNode() : JSON.readTree(http.body()));
  }

  /// The answer to a request, which is sent again if that is safe, as clients of the API should on
  /// a machine too busy for the timeouts of functions and store.
  private <T> HttpResponse<T> answer(
      HttpRequest.Builder builder, HttpResponse.BodyHandler<T> handler)
      throws IOException, InterruptedException {
    HttpRequest request = builder.build();
    boolean safe =
        request.method().equals("GET")
            || request.headers().firstValue("Idempotency-Key").isPresent();
    HttpResponse<T> answer = client.send(request, handler);
    for (int i = 1; answer.statusCode() >= 500; i++) {
      refusals.add(refusal(answer));
      if (!safe || i == TRIES_MAX) {
        break;
      }
      answer = client.send(request, handler);
    }
    return answer;
  }

  private static String refusal(HttpResponse<?> answer) {
    String body =
        answer.body() instanceof byte[] bytes
            ? new String(bytes, StandardCharsets.UTF_8)
            : String.valueOf(answer.body());
    HttpRequest request = answer.request();
    return "%s %s: %d %s"
        .formatted(request.method(), request.uri().getPath(), answer.statusCode(), body);
  }

  /// Asks until the answer is another one than that something does not answer the stack, which is
  /// no fault of the stack where the test itself answers it.
  void untilAvailable(String path) throws IOException, InterruptedException {
    HttpRequest request = request(path).build();
    while (client.send(request, BodyHandlers.discarding()).statusCode() == UNAVAILABLE) {
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  /// A response whose body is not JSON.
  public Answer raw(String path) throws IOException, InterruptedException {
    return new Answer(answer(request(path), BodyHandlers.ofByteArray()), JSON.missingNode());
  }

  /// The body of a 200 response, as text.
  String text(HttpRequest.Builder request) throws IOException, InterruptedException {
    HttpResponse<String> http = answer(request, BodyHandlers.ofString());
    assertEquals(200, http.statusCode(), http::body);
    return http.body();
  }

  public Answer get(String path) throws IOException, InterruptedException {
    return send(request(path));
  }

  public Answer post(String path, String body) throws IOException, InterruptedException {
    return send(request(path).header("Content-Type", TYPE).POST(BodyPublishers.ofString(body)));
  }

  /// A new key of the operator's tenant.
  ///
  /// @param scopes with commas between them
  String key(String scopes) throws IOException, InterruptedException {
    ObjectNode order = JSON.createObjectNode();
    Arrays.stream(scopes.split(",", -1)).forEach(order.putArray("scopes")::add);
    Answer made = post("/v1/keys", order.toString());
    assertEquals(201, made.status(), made.json()::toString);
    return made.json().path("key").asText();
  }

  /// The first event of a type.
  public static JsonNode first(List<JsonNode> events, String type) {
    return events.stream()
        .filter(event -> event.path("type").asText().equals(type))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + type + " in " + types(events)));
  }

  /// Submits a run under a key.
  public Answer submit(String key, String body) throws IOException, InterruptedException {
    return send(
        request("/v1/runs")
            .header("Content-Type", TYPE)
            .header("Idempotency-Key", key)
            .POST(BodyPublishers.ofString(body)));
  }

  /// Submits a run, which must be accepted, and returns its id.
  public String run(String body) throws IOException, InterruptedException {
    String key = UUID.randomUUID().toString();
    Answer answer = submit(key, body);
    assertEquals(202, answer.status(), answer.json()::toString);
    began = true;
    String id = answer.json().path("run_id").asText();
    assertEquals("/v1/runs/" + id, answer.http().headers().firstValue("Location").orElse(""));
    return id;
  }

  /// A run of the echo agent.
  public static String echo(int events, int intervalMillis, String more) {
    return """
    {"agent":"echo","prompt":"hi","extensions":{"backend.echo.events":%d,\
    "backend.echo.interval_millis":%d}%s}
    """
        .formatted(events, intervalMillis, more);
  }

  /// A run of an agent process that runs until it is ended.
  static String hold() {
    return "{\"agent\":\"codex\",\"prompt\":\"hold\"}";
  }

  /// A run of a shell that says that it has begun, and ends once the server speaks.
  static String asking(GitServer server, String more) {
    return """
    {"agent":"shell","prompt":"echo begun; git ls-remote %s || :"%s}
    """
        .formatted(server.url("none"), more);
  }

  public JsonNode view(String id) throws IOException, InterruptedException {
    Answer answer = get("/v1/runs/" + id);
    assertEquals(200, answer.status(), answer.json()::toString);
    return answer.json();
  }

  public Answer cancel(String id) throws IOException, InterruptedException {
    return send(request("/v1/runs/" + id + "/cancel").POST(BodyPublishers.noBody()));
  }

  /// Waits for a page of events after `after`, as long as a page may take.
  public JsonNode page(String id, long after, int limit) throws IOException, InterruptedException {
    String path = "/v1/runs/%s/events?after=%d&limit=%d&wait=20".formatted(id, after, limit);
    Answer answer = get(path);
    assertEquals(200, answer.status(), answer.json()::toString);
    return answer.json();
  }

  /// Reads a run by long polling up to an event of this type, and returns all events up to it.
  public List<JsonNode> until(String id, String type) throws IOException, InterruptedException {
    return until(id, type, 1);
  }

  /// Reads a run by long polling until it has that many events of the type.
  public List<JsonNode> until(String id, String type, int times)
      throws IOException, InterruptedException {
    int missing = times;
    List<JsonNode> events = new ArrayList<>();
    while (true) {
      JsonNode page = page(id, events.size(), 100);
      for (JsonNode event : page.path("events")) {
        events.add(event);
        assertEquals(events.size(), event.path("sequence").asInt());
        if (event.path("type").asText().equals(type) && --missing == 0) {
          return events;
        }
      }
      assertTrue(!page.path("closed").asBoolean(), () -> "ended without " + type + ": " + events);
    }
  }

  /// Reads a run by long polling until it has ended, `limit` events a page.
  public List<JsonNode> all(String id, int limit) throws IOException, InterruptedException {
    List<JsonNode> events = new ArrayList<>();
    JsonNode page;
    do {
      page = page(id, events.size(), limit);
      assertTrue(page.path("events").size() <= limit);
      for (JsonNode event : page.path("events")) {
        events.add(event);
        assertEquals(events.size(), event.path("sequence").asInt());
      }
      assertEquals(events.size(), page.path("next_after").asInt());
    } while (!page.path("closed").asBoolean() || !page.path("events").isEmpty());
    return events;
  }

  /// Waits for a run's end and returns the run.
  public JsonNode ended(String id) throws IOException, InterruptedException {
    List<JsonNode> events = all(id, 1_000);
    JsonNode run = view(id);
    assertTrue(run.path("closed").asBoolean(), run::toString);
    assertEquals(events.size(), run.path("last_sequence").asInt());
    assertEquals(1, events.stream().filter(Api::isTerminal).count(), events::toString);
    assertTrue(isTerminal(events.getLast()), events::toString);
    return run;
  }

  /// Waits until a list of runs shows the run, which it does shortly after the run's log, and
  /// returns the list's first page.
  Set<String> listed(String id, String query) throws IOException, InterruptedException {
    Set<String> ids = new HashSet<>();
    do {
      get("/v1/runs?" + query)
          .json()
          .path("runs")
          .forEach(run -> ids.add(run.path("run_id").asText()));
    } while (!ids.contains(id));
    return ids;
  }

  public static boolean isTerminal(JsonNode event) {
    return event
        .path("type")
        .asText()
        .matches("task\\.(completed|failed|cancelled|timed_out|lost)");
  }

  public static List<String> types(List<JsonNode> events) {
    return events.stream().map(event -> event.path("type").asText()).toList();
  }

  /// A live stream of events.
  static final class Live implements AutoCloseable {
    private final InputStream body;
    private final ServerSentEvents events;
    private long last;

    private Live(InputStream body, long after) {
      this.body = body;
      this.events = new ServerSentEvents(body, () -> {});
      this.last = after;
    }

    /// Reads up to `count` events, past what is told between them; fewer when the stream ends.
    List<JsonNode> next(int count) throws IOException {
      List<JsonNode> read = new ArrayList<>();
      while (read.size() < count) {
        ServerSentEvents.Message message = events.next();
        if (message == null) {
          return read;
        }
        JsonNode event = JSON.readTree(message.data());
        DESCRIBED.checkEvent("GET", EVENTS, message.data());
        if (Long.toString(last).equals(message.id())) {
          continue;
        }
        assertEquals(++last, event.path("sequence").asLong());
        assertEquals(Long.toString(last), message.id());
        assertEquals(event.path("type").asText(), message.event());
        read.add(event);
      }
      return read;
    }

    long last() {
      return last;
    }

    @Override
    public void close() throws IOException {
      body.close();
    }
  }

  /// Opens a stream after `after`, by header or by query.
  Live stream(String id, long after, boolean byHeader) throws IOException, InterruptedException {
    String path = "/v1/runs/" + id + "/events";
    HttpRequest.Builder request =
        byHeader
            ? request(path).header("Last-Event-ID", Long.toString(after))
            : request(path + "?after=" + after);
    HttpResponse<InputStream> answer =
        client.send(
            request.header("Accept", "text/event-stream").build(), BodyHandlers.ofInputStream());
    assertEquals(200, answer.statusCode());
    assertEquals("text/event-stream", answer.headers().firstValue("Content-Type").orElse(""));
    return new Live(answer.body(), after);
  }

  @Override
  public void close() {
    try {
      last.accept(this);
    } finally {
      client.shutdownNow();
    }
  }
}
