package dev.runyard.cli.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/// The native HTTP API, one method per call. Responses stay JSON as the server wrote them, so that
/// `-o json` shows fields this client does not know.
public final class RunyardClient implements AutoCloseable {
  /// Longest wait for a connection.
  static final Duration CONNECT_MAX = Duration.ofSeconds(10);

  /// Longest wait for a response, or for the head of an event stream.
  static final Duration ANSWER_MAX = Duration.ofSeconds(30);

  /// Longest wait for the end of an upload.
  static final Duration PUT_MAX = Duration.ofMinutes(15);

  /// How often a submit is sent when its response is lost; the idempotency key makes that safe.
  static final int SUBMIT_TRIES_MAX = 3;

  static final ObjectMapper JSON = JsonMapper.builder().build();

  private final URI server;
  private final Sender sender;
  private final LiveEvents.Pause pause;
  private final HttpClient http;

  /// @param token the access token of the stack at `server`
  public RunyardClient(URI server, Optional<String> token) {
    this(
        server,
        token.<Identification>map(Identification.Bearer::new).orElseGet(Identification.None::new));
  }

  /// Redirects are not followed: they could lead a key elsewhere.
  ///
  /// @param authentication how to show `server` who calls
  public RunyardClient(URI server, Identification authentication) {
    this(server, Sender.of(server, authentication), Thread::sleep);
  }

  RunyardClient(URI server, Sender sender, LiveEvents.Pause pause) {
    this.server = server;
    this.sender = sender;
    this.pause = pause;
    this.http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(CONNECT_MAX)
            .build();
  }

  public URI server() {
    return server;
  }

  /// Submits a run. With `idempotencyKey` the same submit can be sent again without creating a
  /// second run.
  public ServerReply submit(NewRun run, String idempotencyKey) {
    ServerReply reply = new ServerReply.Unreachable("nothing was sent", true);
    for (int tries = 0; tries < SUBMIT_TRIES_MAX; tries++) {
      reply = call(post("/v1/runs", body(run)).with("Idempotency-Key", idempotencyKey));
      if (!(reply instanceof ServerReply.Unreachable lost) || lost.refusedConnection()) {
        break;
      }
    }
    return reply;
  }

  /// Asks for a place for bytes; the answer has none if the stack has them.
  ///
  /// @param sha256 of the bytes, in hexadecimal
  /// @param format of the archive that they are
  public ServerReply upload(long bytes, String sha256, String format) {
    return call(
        post(
            "/v1/uploads",
            body(
                JsonNodeFactory.instance
                    .objectNode()
                    .put("size_bytes", bytes)
                    .put("sha256", sha256)
                    .put("format", format))));
  }

  /// Puts a file at a place, which needs no key or token and gets none.
  ///
  /// @param place as the server answered
  public ServerReply put(JsonNode place, Path file) {
    try {
      URI at = server.resolve(place.path("url").asText());
      if (!Sender.isPrivate(at)) {
        throw new NotSent(
            "nothing was put: everybody on the way to " + at.getHost() + " could read it");
      }
      HttpRequest.Builder request =
          HttpRequest.newBuilder(at)
              .method(place.path("method").asText("PUT"), BodyPublishers.ofFile(file));
      place
          .path("headers")
          .properties()
          .forEach(header -> request.header(header.getKey(), header.getValue().asText()));
      return answer(request, PUT_MAX, JsonNodeFactory.instance::binaryNode);
    } catch (NotSent e) {
      return ServerReply.Unreachable.from(server, e);
    } catch (IOException | IllegalArgumentException e) {
      return ServerReply.Unreachable.from(server, new IOException("nothing can be put: " + e));
    }
  }

  /// A page of runs, newest first.
  ///
  /// @param filters `status`, `agent`, `session_id`, `limit`, `cursor`; absent ones do not filter
  public ServerReply list(Map<String, String> filters) {
    return call(get("/v1/runs" + QueryText.of(filters)));
  }

  public ServerReply run(String runId) {
    return call(get("/v1/runs/" + encode(runId)));
  }

  public ServerReply cancel(String runId, String reason) {
    JsonNode body =
        reason.isEmpty()
            ? JsonNodeFactory.instance.objectNode()
            : JsonNodeFactory.instance.objectNode().put("reason", reason);
    return call(post("/v1/runs/" + encode(runId) + "/cancel", body(body)));
  }

  /// The actions of the run.
  public ServerReply actions(String runId) {
    return call(get("/v1/runs/" + encode(runId) + "/actions"));
  }

  /// Decides an action. The first decision counts.
  ///
  /// @param payload of the decision, or null
  public ServerReply decide(String actionId, String decision, JsonNode payload) {
    ObjectNode body = JsonNodeFactory.instance.objectNode().put("decision", decision);
    if (!payload.isNull()) {
      body.set("payload", payload);
    }
    return call(post("/v1/actions/" + encode(actionId), body(body)));
  }

  /// Sends the agent a message. With `idempotencyKey` the same message can be sent again.
  public ServerReply message(String runId, String content, String idempotencyKey) {
    JsonNode body = JsonNodeFactory.instance.objectNode().put("content", content);
    return call(
        post("/v1/runs/" + encode(runId) + "/messages", body(body))
            .with("Idempotency-Key", idempotencyKey));
  }

  /// The chain of the run's log behind sequence `after`.
  public ServerReply chunks(String runId, long after) {
    return call(get("/v1/runs/" + encode(runId) + "/chunks?after=" + after));
  }

  /// An output of a tool, as one text.
  public ServerReply output(String runId, String outputId) {
    return call(
        request("/v1/runs/" + encode(runId) + "/outputs/" + encode(outputId), "text/plain"),
        body -> JsonNodeFactory.instance.textNode(new String(body, StandardCharsets.UTF_8)));
  }

  /// What a run changed in its workspace.
  public ServerReply changes(String runId) {
    return call(get("/v1/runs/" + encode(runId) + "/changes"));
  }

  /// Publishes what a run changed; the answer is the run that does so. It may be sent again.
  public ServerReply publish(String runId, NewRun.Publish how) {
    return call(post("/v1/runs/" + encode(runId) + "/publish", body(how)));
  }

  /// What became of publishing it.
  public ServerReply publication(String runId) {
    return call(get("/v1/runs/" + encode(runId) + "/publish"));
  }

  /// The artifacts of a run.
  public ServerReply artifacts(String runId) {
    return call(get("/v1/runs/" + encode(runId) + "/artifacts"));
  }

  /// The patch of a run, as bytes.
  ///
  /// @param whole whether it has what earlier runs of its session changed too
  public ServerReply patch(String runId, boolean whole) {
    return call(
        request("/v1/runs/" + encode(runId) + "/patch" + (whole ? "?whole=true" : ""), "*/*"),
        JsonNodeFactory.instance::binaryNode);
  }

  /// Writes the archive of a run's workspace into a new file; the answer has `bytes` and `sha256`
  /// of it.
  public ServerReply workspace(String runId, Path to) {
    return download("/v1/runs/" + encode(runId) + "/workspace", to);
  }

  /// Writes an artifact of a run into a new file, in the same way.
  public ServerReply artifact(String runId, String name, Path to) {
    return download("/v1/runs/" + encode(runId) + "/artifacts/" + encode(name), to);
  }

  /// What requests are sent with.
  record Connection(URI server, Sender sender, LiveEvents.Pause pause, HttpClient http) {}

  private ServerReply download(String path, Path to) {
    return new Download(new Connection(server, sender, pause, http), request(path, "*/*")).into(to);
  }

  public ServerReply quota() {
    return call(get("/v1/quota"));
  }

  /// A request about webhooks.
  ///
  /// @param rest of the path, behind `/v1/webhooks`
  public ServerReply webhooks(String method, String rest, Optional<JsonNode> body) {
    URI uri = at("/v1/webhooks" + rest);
    return call(
        body.isPresent() ? ApiCall.of(method, uri, body(body.get())) : ApiCall.of(method, uri));
  }

  /// A call about hooks.
  ///
  /// @param path after `/v1/hooks`, such as `/ID/deliveries`
  /// @param body a null node for none
  public ServerReply hooks(String method, String path, JsonNode body) {
    URI uri = at("/v1/hooks" + path);
    return call(body.isNull() ? ApiCall.of(method, uri) : ApiCall.of(method, uri, body(body)));
  }

  /// A call about jobs.
  ///
  /// @param path after `/v1/jobs`, such as `/ID/items`
  /// @param body a null node for none
  /// @param idempotencyKey empty for none
  public ServerReply jobs(String method, String path, JsonNode body, String idempotencyKey) {
    URI uri = at("/v1/jobs" + path);
    ApiCall call = body.isNull() ? ApiCall.of(method, uri) : ApiCall.of(method, uri, body(body));
    return call(idempotencyKey.isEmpty() ? call : call.with("Idempotency-Key", idempotencyKey));
  }

  public ServerReply agents() {
    return call(get("/v1/agents"));
  }

  public ServerReply agent(String kind) {
    return call(get("/v1/agents/" + encode(kind)));
  }

  /// Makes a key; the answer has its text, which no other answer has.
  public ServerReply createKey(NewKey key) {
    return call(post("/v1/keys", body(key)));
  }

  /// The keys of a tenant.
  ///
  /// @param tenant empty for the caller's own
  public ServerReply keys(String tenant) {
    return call(get("/v1/keys" + QueryText.of(Map.of("tenant", tenant))));
  }

  /// Revokes a key, which may be done again.
  ///
  /// @param tenant whose it is; empty for the caller's own
  public ServerReply revokeKey(String keyId, String tenant) {
    return call(
        post("/v1/keys/" + encode(keyId) + "/revoke" + QueryText.of(Map.of("tenant", tenant)), ""));
  }

  /// Stored events after sequence `after`, at most `limit`.
  public ServerReply events(String runId, long after, int limit, String view) {
    return call(
        get(
            eventsPath(runId)
                + QueryText.of(
                    Map.of(
                        "after", Long.toString(after),
                        "limit", Integer.toString(limit),
                        "view", view))));
  }

  /// Opens the live stream of events after sequence `after`.
  HttpResponse<InputStream> open(String runId, long after, String view)
      throws IOException, InterruptedException {
    ApiCall call =
        request(eventsPath(runId) + QueryText.of(Map.of("view", view)), "text/event-stream");
    if (after > 0) {
      call = call.with("Last-Event-ID", Long.toString(after));
    }
    HttpRequest request = sender.authenticated(call).request().timeout(ANSWER_MAX).build();
    return CutOff.orOpened(http, request);
  }

  @Override
  public void close() {
    http.shutdownNow();
  }

  ServerReply call(ApiCall call) {
    return call(call, JSON::readTree);
  }

  /// Reads the body of a response.
  @FunctionalInterface
  private interface Reading {
    JsonNode of(byte[] body) throws IOException;
  }

  private ServerReply call(ApiCall call, Reading reading) {
    return ReadTries.of(call, pause, () -> once(call, reading));
  }

  private ServerReply once(ApiCall call, Reading reading) {
    try {
      return answer(sender.authenticated(call).request(), ANSWER_MAX, reading);
    } catch (NotSent e) {
      return ServerReply.Unreachable.from(server, e);
    }
  }

  private ServerReply answer(HttpRequest.Builder request, Duration atMost, Reading reading) {
    try {
      HttpResponse<byte[]> answer =
          http.send(request.timeout(atMost).build(), BodyHandlers.ofByteArray());
      return answer.statusCode() < 300
          ? new ServerReply.Done(reading.of(answer.body()))
          : new ServerReply.Refused(ServerProblem.read(JSON, answer.statusCode(), answer.body()));
    } catch (JsonProcessingException _) {
      return ServerReply.Unreachable.from(server, new IOException("the answer is not JSON"));
    } catch (IOException e) {
      return ServerReply.Unreachable.from(server, e);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return new ServerReply.Unreachable("interrupted", true);
    }
  }

  private ApiCall request(String path, String accepted) {
    return ApiCall.get(at(path), accepted);
  }

  private ApiCall get(String path) {
    return request(path, "application/json");
  }

  private ApiCall post(String path, String body) {
    return ApiCall.post(at(path), body);
  }

  URI at(String path) {
    String base = server.toString();
    return URI.create((base.endsWith("/") ? base.substring(0, base.length() - 1) : base) + path);
  }

  private static String eventsPath(String runId) {
    return "/v1/runs/" + encode(runId) + "/events";
  }

  static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  static String body(Object value) {
    try {
      return JSON.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
