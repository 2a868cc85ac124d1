package dev.runyard.functions.tenants;

import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.sun.net.httpserver.HttpServer;
import dev.runyard.core.access.AccessKey;
import dev.runyard.core.access.KeyText;
import dev.runyard.core.access.Scope;
import dev.runyard.core.application.Ports;
import dev.runyard.core.application.UseCases;
import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.artifact.LargeObjects;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.memory.MemoryArtifactStore;
import dev.runyard.core.memory.MemoryEventLog;
import dev.runyard.core.memory.MemoryLargeObjects;
import dev.runyard.core.memory.MemoryPorts;
import dev.runyard.core.memory.MemoryUploadPlaces;
import dev.runyard.core.memory.SettableClock;
import dev.runyard.core.secret.Fetched;
import dev.runyard.core.upload.UploadPlaces;
import dev.runyard.functions.FunctionPorts;
import dev.runyard.functions.Wiring;
import dev.runyard.functions.api.Handler;
import dev.runyard.functions.stream.Server;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// The functions that answer clients, wired as they are deployed, where callers show keys.
final class ClientFunctions implements AutoCloseable {
  private static final Map<String, String> ENVIRONMENT =
      Map.of(
          "RUNYARD_ACCESS", "BEARER",
          "RUNYARD_AGENTS", "{\"agents\":{},\"hook_secrets\":{\"GITHUB\":\"env:GITHUB\"}}",
          "RUNYARD_TAIL_MILLIS", "20");

  static final String HOOK_SECRET = "secret-of-a-hook";

  final SettableClock clock = new SettableClock(InstantSource.system().instant());
  final MemoryPorts ports = new MemoryPorts(new MemoryEventLog(), clock);
  final MemoryArtifactStore artifacts = new MemoryArtifactStore();
  final MemoryUploadPlaces places = new MemoryUploadPlaces(artifacts, clock);
  private final Random random = new Random(17);
  private final Ids ids = new RandomIds(random);
  final UseCases useCases = new UseCases(ports, clock, ids, "test");

  /// What the functions ask of their ports.
  final PortCalls calls = new PortCalls();

  private final Handler api;
  private final dev.runyard.functions.manage.Handler manage;
  private final Server stream;
  private final HttpServer server;
  private final HttpClient client = HttpClient.newHttpClient();

  /// What a client gets.
  record Answer(int status, String body, Map<String, String> headers) {}

  ClientFunctions() throws IOException {
    Ports recorded = calls.of(Ports.class, ports);
    FunctionPorts given =
        new FunctionPorts(
            recorded,
            new UseCases(recorded, clock, ids, "test"),
            new FunctionPorts.Objects(
                () -> calls.of(ArtifactStore.class, artifacts),
                () -> calls.of(LargeObjects.class, new MemoryLargeObjects(artifacts, clock)),
                () -> calls.of(UploadPlaces.class, places)),
            (_, _, longest) -> pause(longest),
            _ -> new Fetched.Value(HOOK_SECRET),
            Optional.empty());
    api = new Handler(new Wiring("api", ENVIRONMENT, given));
    manage = new dev.runyard.functions.manage.Handler(new Wiring("manage", ENVIRONMENT, given));
    stream = new Server(new Wiring("stream", ENVIRONMENT, given));
    server = stream.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  private static void pause(Duration longest) throws InterruptedException {
    var _ = new CountDownLatch(1).await(longest.toMillis(), TimeUnit.MILLISECONDS);
  }

  /// The routes of all, in the form `GET /v1/runs/{id}`.
  Set<String> routes() {
    Set<String> routes = new TreeSet<>(api.routes());
    routes.addAll(manage.routes());
    routes.addAll(stream.routes());
    return routes;
  }

  /// The text of a new key that may do everything for a tenant.
  String key(String tenant) {
    KeyText text = KeyText.drawn(random);
    AccessKey.Grant grant =
        new AccessKey.Grant(tenant, Optional.empty(), EnumSet.allOf(Scope.class), Optional.empty());
    ports.accessKeys().add(AccessKey.made(text, "key_" + tenant, grant, "test", clock.instant()));
    return text.secret();
  }

  /// Calls a path, whose route says which function answers.
  Answer call(String key, String route, String path, String body)
      throws IOException, InterruptedException {
    String method = route.substring(0, route.indexOf(' '));
    if (stream.routes().contains(route)) {
      return stream(key, method, path, body);
    }
    return proxied(manage.routes().contains(route) ? manage : api, key, method, path, body);
  }

  /// Delivers to a hook, as a sender does that shows no key.
  Answer deliver(String path, Map<String, String> headers, String body) {
    return answered(api, request("POST", path, headers).withBody(body));
  }

  private static Answer proxied(
      RequestHandler<APIGatewayProxyRequestEvent, APIGatewayProxyResponseEvent> function,
      String key,
      String method,
      String path,
      String body) {
    APIGatewayProxyRequestEvent event =
        request(
            method,
            path,
            Map.of("Authorization", "Bearer " + key, "Content-Type", "application/json"));
    if (method.equals("POST") || method.equals("PATCH")) {
      event.setBody(body);
    }
    return answered(function, event);
  }

  private static APIGatewayProxyRequestEvent request(
      String method, String path, Map<String, String> headers) {
    return new APIGatewayProxyRequestEvent()
        .withHttpMethod(method)
        .withPath(path)
        .withHeaders(headers);
  }

  private static Answer answered(
      RequestHandler<APIGatewayProxyRequestEvent, APIGatewayProxyResponseEvent> function,
      APIGatewayProxyRequestEvent event) {
    APIGatewayProxyResponseEvent response = function.handleRequest(event, null);
    return new Answer(response.getStatusCode(), response.getBody(), response.getHeaders());
  }

  private Answer stream(String key, String method, String path, String body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path))
            .header("Authorization", "Bearer " + key)
            .header("Content-Type", "application/json")
            .method(
                method,
                method.equals("POST") ? BodyPublishers.ofString(body) : BodyPublishers.noBody())
            .build();
    HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
    Map<String, String> headers = new HashMap<>();
    response.headers().map().forEach((name, values) -> headers.put(name, values.getFirst()));
    return new Answer(response.statusCode(), response.body(), headers);
  }

  @Override
  public void close() {
    server.stop(0);
    client.shutdownNow();
  }
}
