package dev.runyard.gates.rights;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import dev.runyard.aws.AwsClients;
import dev.runyard.aws.DynamoDeliveries;
import dev.runyard.aws.DynamoKeys;
import dev.runyard.aws.DynamoSessionQueue;
import dev.runyard.aws.DynamoStreamTokens;
import dev.runyard.aws.Settings;
import dev.runyard.core.access.AccessKey;
import dev.runyard.core.access.KeyText;
import dev.runyard.core.access.Scope;
import dev.runyard.core.access.StreamToken;
import dev.runyard.core.access.StreamTokens;
import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.ids.Digest;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.session.SessionQueue;
import dev.runyard.core.webhook.Deliveries;
import dev.runyard.core.webhook.Delivery;
import dev.runyard.core.webhook.DeliveryKey;
import dev.runyard.core.webhook.EventBus;
import dev.runyard.functions.Wiring;
import dev.runyard.functions.api.Handler;
import dev.runyard.functions.stream.Server;
import dev.runyard.local.http.LoopbackServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;

/// What clients ask of the functions, for the record of their calls.
final class ProductUses {
  private static final String TENANT = "default";

  private ProductUses() {}

  /// A webhook at which nobody answers, and the delivery of a ping to it.
  static DeliveryKey webhook(dev.runyard.functions.manage.Handler manage) throws Exception {
    var made =
        ProductRig.json(
            manage
                .handleRequest(
                    ProductRig.post(
                        "/v1/webhooks",
                        "{\"url\":\"http://127.0.0.1:1/\",\"events\":[\"run.cancelled\"]}"),
                    null)
                .getBody());
    String id = made.path("webhook_id").asText();
    manage.handleRequest(ProductRig.request("GET", "/v1/webhooks/" + id + "/deliveries"), null);
    var ping =
        manage.handleRequest(ProductRig.request("POST", "/v1/webhooks/" + id + "/ping"), null);
    return new DeliveryKey(
        TENANT, id, ProductRig.json(ping.getBody()).path("delivery_id").asText());
  }

  /// What the bus is to be told.
  static List<DeliveryKey> forBus(ProductRig rig) {
    return deliveries(rig).list(TENANT, EventBus.ID, Deliveries.LIST_MAX, Optional.empty()).stream()
        .map(Delivery::key)
        .toList();
  }

  /// A session whose runs an earlier release listed with those of the tenant alone.
  static String sessionOfOldRuns(ProductRig rig) {
    Settings settings = new Settings(rig.function("ApiFunction"));
    var order =
        new DynamoSessionQueue(
            new AwsClients(settings).dynamo(),
            settings.viewsTable(),
            settings.retention(),
            InstantSource.system());
    String session = UUID.randomUUID().toString();
    assertTrue(order.write(TENANT, session, new SessionQueue.Turns(0, List.of(), false)));
    return session;
  }

  private static Deliveries deliveries(ProductRig rig) {
    Settings settings = new Settings(rig.function("ManageFunction"));
    return new DynamoDeliveries(
        new AwsClients(settings).dynamo(),
        settings.viewsTable(),
        settings.retention(),
        InstantSource.system());
  }

  /// A delivery whose message was lost.
  static void overdue(ProductRig rig, DeliveryKey like) {
    Deliveries deliveries = deliveries(rig);
    DeliveryKey key = new DeliveryKey(TENANT, like.webhookId(), "msg_" + "0".repeat(44));
    tried(
        () ->
            deliveries.add(
                new Delivery(
                    key,
                    "webhook.ping",
                    null,
                    "{}",
                    Instant.EPOCH,
                    null,
                    Delivery.State.WAITING,
                    0,
                    Instant.EPOCH,
                    Instant.EPOCH,
                    List.of(),
                    0)));
  }

  /// A delivery without proof has the secret read, too.
  static void useHook(
      dev.runyard.functions.manage.Handler manage,
      dev.runyard.functions.api.Handler api,
      String secret)
      throws Exception {
    var made =
        manage.handleRequest(
            ProductRig.post(
                "/v1/hooks",
                "{\"name\":\"h\",\"sender\":\"github\",\"secret\":\"%s\",\"run\":{\"agent\":\"echo\",\"prompt\":\"hi\"}}"
                    .formatted(secret)),
            null);
    assertEquals(201, made.getStatusCode(), made.getBody());
    String path = "/v1/hooks/" + ProductRig.json(made.getBody()).path("hook_id").asText();
    var delivery = ProductRig.post(path, "{}");
    delivery.setHeaders(Map.of("X-Hub-Signature-256", "sha256=00"));
    api.handleRequest(delivery, null);
    manage.handleRequest(ProductRig.request("GET", path + "/deliveries"), null);
    manage.handleRequest(ProductRig.request("DELETE", path), null);
  }

  static void upload(dev.runyard.functions.manage.Handler manage) throws Exception {
    byte[] content = {1, 2, 3};
    var request =
        ProductRig.post(
            "/v1/uploads",
            "{\"size_bytes\":3,\"sha256\":\"%s\",\"format\":\"zip\"}"
                .formatted(HexFormat.of().formatHex(Digest.of(content))));
    request.setHeaders(Map.of("Content-Type", "application/json"));
    var place = ProductRig.json(manage.handleRequest(request, null).getBody()).path("put");
    if (place.isMissingNode()) {
      return;
    }
    HttpRequest.Builder put =
        HttpRequest.newBuilder(URI.create(place.path("url").asText()))
            .PUT(HttpRequest.BodyPublishers.ofByteArray(content));
    place
        .path("headers")
        .properties()
        .forEach(header -> put.header(header.getKey(), header.getValue().asText()));
    try (HttpClient client = HttpClient.newHttpClient()) {
      client.send(put.build(), BodyHandlers.discarding());
    }
  }

  static void useKeys(dev.runyard.functions.manage.Handler manage, Map<String, String> function)
      throws Exception {
    var made =
        manage.handleRequest(ProductRig.post("/v1/keys", "{\"scopes\":[\"runs:read\"]}"), null);
    var id = ProductRig.json(made.getBody()).path("id").asText();
    manage.handleRequest(ProductRig.request("GET", "/v1/keys"), null);
    manage.handleRequest(ProductRig.post("/v1/keys/" + id + "/revoke", ""), null);
    checkKey(function);
  }

  /// A thread is to go on from a turn that has left nothing.
  static void goBack(Handler api, String session, RunKey turn) throws Exception {
    String params = "{\"session_id\":\"%s\",\"turn_id\":\"%s\"}".formatted(session, turn.runId());
    api.handleRequest(
        ProductRig.post(
            "/v1/runtime/commands", "{\"command\":\"rollback_thread\",\"params\":" + params + "}"),
        null);
  }

  /// One function gives stream tokens, the other takes them.
  static void useStreamTokens(ProductRig rig, RunKey run) {
    var token = new StreamToken("hash", run, "test", Optional.empty(), Instant.EPOCH);
    tried(() -> streamTokens(rig.function("ApiFunction")).add(token));
    tried(() -> streamTokens(rig.function("StreamFunction")).find("hash"));
  }

  static StreamTokens streamTokens(Map<String, String> function) {
    Settings settings = new Settings(function);
    return new DynamoStreamTokens(new AwsClients(settings).dynamo(), settings.viewsTable());
  }

  /// What a function asks of the table where callers show keys.
  static void checkKey(Map<String, String> function) {
    Settings settings = new Settings(function);
    var keys = new DynamoKeys(new AwsClients(settings).dynamo(), settings.viewsTable());
    var grant =
        new AccessKey.Grant(TENANT, Optional.empty(), Set.of(Scope.RUNS_READ), Optional.empty());
    var key = AccessKey.made(KeyText.drawn(new Random(1)), "key", grant, "test", Instant.EPOCH);
    tried(() -> keys.find(key.hash()));
    tried(() -> keys.used(key, Instant.EPOCH, Instant.EPOCH));
  }

  static void useStream(ProductRig rig) throws Exception {
    HttpServer server = LoopbackServer.bind(0);
    server.createContext("/", new Server(rig.function("StreamFunction")));
    server.start();
    try (HttpClient client = HttpClient.newHttpClient()) {
      URI runs = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/runs");
      String body =
          "{\"agent_name\":\"echo\",\"mode\":\"async\",\"session_id\":\"%s\",\"input\":[{\"role\":\"user\",\"parts\":[{\"content_type\":\"text/plain\",\"content\":\"hi\"}]}]}"
              .formatted(UUID.randomUUID());
      var answer =
          client.send(
              streamed(runs, body).header("Idempotency-Key", "once").build(),
              BodyHandlers.ofString());
      assertEquals(202, answer.statusCode(), answer.body());
      checkKey(rig.function("StreamFunction"));
      String earlier = ProductRig.json(answer.body()).path("run_id").asText();
      assertEquals(36, earlier.length(), answer.body());
      client.send(
          streamed(
                  runs,
                  body.replace("echo", "codex")
                      .replace(
                          "\"mode\"",
                          "\"config\":{\"workspace\":{\"run\":\"%s\"}},\"mode\""
                              .formatted(earlier)))
              .build(),
          BodyHandlers.discarding());
      ArtifactStore artifacts =
          new Wiring("stream", rig.function("StreamFunction")).artifacts().get();
      tried(() -> artifacts.get(TENANT + "/runs/x/changes/list.json"));
    } finally {
      server.stop(0);
    }
  }

  /// A submit to the function that streams.
  static HttpRequest.Builder streamed(URI runs, String body) {
    return HttpRequest.newBuilder(runs)
        .header("Content-Type", "application/json")
        .header(
            "x-amzn-request-context",
            "{\"identity\":{\"userArn\":\"%s\"}}".formatted(ProductRig.SIGNER))
        .POST(HttpRequest.BodyPublishers.ofString(body));
  }

  static void tried(Runnable call) {
    try {
      call.run();
    } catch (PortUnavailable refused) {
      assertTrue(String.valueOf(refused.getMessage()).contains("AccessDenied"), refused::toString);
    }
  }
}
