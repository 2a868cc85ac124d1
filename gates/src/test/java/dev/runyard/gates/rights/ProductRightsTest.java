package dev.runyard.gates.rights;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.amazonaws.services.lambda.runtime.events.ScheduledEvent;
import com.sun.net.httpserver.HttpServer;
import dev.runyard.aws.AwsClients;
import dev.runyard.aws.AwsSecretVault;
import dev.runyard.aws.DynamoEventLog;
import dev.runyard.aws.DynamoKeys;
import dev.runyard.aws.DynamoReadModels;
import dev.runyard.aws.DynamoSlots;
import dev.runyard.aws.DynamoStreamTokens;
import dev.runyard.aws.S3ArtifactStore;
import dev.runyard.aws.Settings;
import dev.runyard.aws.SqsRunQueue;
import dev.runyard.core.access.AccessKey;
import dev.runyard.core.access.KeyText;
import dev.runyard.core.access.Scope;
import dev.runyard.core.access.StreamToken;
import dev.runyard.core.access.StreamTokens;
import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.artifact.StoredOutput;
import dev.runyard.core.fleet.Slot;
import dev.runyard.core.fleet.Slots;
import dev.runyard.core.ids.Digest;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.queue.QueueMessage;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.queue.Ticket;
import dev.runyard.core.session.SessionHistory;
import dev.runyard.functions.Wiring;
import dev.runyard.functions.stream.Server;
import dev.runyard.gates.Planted;
import dev.runyard.local.http.LoopbackServer;
import dev.runyard.local.rights.Call;
import dev.runyard.local.rights.CallRecord.Calls;
import dev.runyard.local.rights.Rights;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/// The rights in template.yaml are those the product uses: each function does here all it does, the
/// runner's adapters what the runner asks of them, each in its own role.
@ResourceLock(ProductRig.PROCESSORS)
class ProductRightsTest {
  private static final String TENANT = "default";
  private static final String SESSION = UUID.randomUUID().toString();

  @TempDir private static Path folder;

  private static ProductRig rig;
  private static Rights rights;
  private static Calls calls;

  @BeforeAll
  static void useEverything() throws Exception {
    rig = new ProductRig(folder);
    rights = rig.rights();
    useAll(rig);
    calls = rig.calls();
  }

  @AfterAll
  static void stop() {
    rig.close();
  }

  @Test
  void everyCallIsGranted() {
    assertFalse(calls.granted().isEmpty());
    assertEquals(List.of(), rights.missing(calls.refused()));
    assertEquals(Set.of(), calls.refused());
  }

  @Test
  void everyRightIsNeeded() {
    assertEquals(List.of(), rights.unneeded(calls.granted()), "remove these from template.yaml");
  }

  @Planted({"everyCallIsGranted", "RightsIT.everyCallIsGranted"})
  @TestFactory
  Stream<DynamicTest> aRightThatIsTakenAwayIsMissed() {
    return rights.given().stream()
        .sorted(Comparator.comparing(Rights.Held::toString))
        .map(
            held ->
                DynamicTest.dynamicTest(
                    held.toString(),
                    () -> {
                      List<String> missing = rights.without(held).missing(calls.granted());
                      String action = held.permission().action();
                      assertFalse(missing.isEmpty(), () -> "nothing uses " + held);
                      for (String told : missing) {
                        assertTrue(
                            told.startsWith(held.role() + " may not " + action + " on "), told);
                      }
                    }));
  }

  @Planted({"everyRightIsNeeded", "RightsIT.everyRightIsNeeded"})
  @Test
  void aRightThatNoCallNeedsIsNamed() {
    List<Call> others =
        calls.granted().stream()
            .filter(call -> !call.text().startsWith("ApiFunction sqs:SendMessage "))
            .toList();
    assertEquals(
        List.of("ApiFunction sqs:SendMessage arn:aws:sqs:us-east-1:000000000000:RunQueue"),
        rights.unneeded(others).stream().map(Rights.Held::name).toList());
  }

  /// The right whose absence no test once noticed.
  @Planted
  @Test
  void advanceIsRefusedWhatTheTemplateDoesNotGrantIt(@TempDir Path other) throws Exception {
    try (ProductRig lacking =
        new ProductRig(
            other,
            "AdvanceFunction dynamodb:GetItem"
                + " arn:aws:dynamodb:us-east-1:000000000000:table/ViewsTable")) {
      useAll(lacking);
      List<String> missing = lacking.rights().missing(lacking.calls().refused());
      assertTrue(
          missing.contains(
              "AdvanceFunction may not dynamodb:GetItem on !GetAtt ViewsTable.Arn: add to the"
                  + " policies of AdvanceFunction in template.yaml: { Effect: Allow, Action:"
                  + " \"dynamodb:GetItem\", Resource: !GetAtt ViewsTable.Arn }"),
          missing::toString);
    }
  }

  @Planted
  @Test
  void aRunnerIsRefusedWhatTheTemplateDoesNotGrantIt(@TempDir Path other) throws Exception {
    try (ProductRig lacking =
        new ProductRig(
            other,
            "RunnerRole sqs:ChangeMessageVisibility arn:aws:sqs:us-east-1:000000000000:RunQueue",
            "RunnerRole s3:PutObject arn:aws:s3:::artifactsbucket/*/workspaces/*",
            "RunnerRole s3:DeleteObject arn:aws:s3:::artifactsbucket/*/sessions/*")) {
      useAll(lacking);
      assertEquals(
          List.of("s3:DeleteObject", "s3:PutObject", "sqs:ChangeMessageVisibility"),
          lacking.calls().refused().stream().map(Call::action).sorted().toList());
    }
  }

  private static void useAll(ProductRig rig) throws Exception {
    var api = new dev.runyard.functions.api.Handler(rig.function("ApiFunction"));
    RunKey first = submitted(api, "first");
    RunKey second = submitted(api, "second");
    RunKey third = submitted(api, "third");
    api.handleRequest(ProductRig.request("GET", "/v1/runs/" + first.runId()), null);
    api.handleRequest(ProductRig.request("GET", "/v1/runs"), null);
    // Who may list the bucket learns that an object is missing, who may read it what is in it.
    api.handleRequest(
        ProductRig.request("GET", "/v1/runs/" + first.runId() + "/outputs/none"), null);
    api.handleRequest(
        ProductRig.post(
            "/v1/runs",
            "{\"agent\":\"codex\",\"prompt\":\"hi\",\"workspace\":{\"run\":\"%s\"}}"
                .formatted(first.runId())),
        null);
    upload(api);
    useKeys(api, rig.function("ApiFunction"));
    useStream(rig);
    useStreamTokens(rig, first);

    var project = new dev.runyard.functions.project.Handler(rig.function("ProjectFunction"));
    var advance = new dev.runyard.functions.advance.Handler(rig.function("AdvanceFunction"));
    for (RunKey run : List.of(first, second, third)) {
      project.handleRequest(ProductRig.changed(run), null);
      advance.handleRequest(ProductRig.changed(run), null);
    }
    advance.handleRequest(ProductRig.changed(first), null);
    useRunner(rig, first);
    api.handleRequest(ProductRig.post("/v1/runs/" + first.runId() + "/cancel", ""), null);
    advance.handleRequest(ProductRig.changed(first), null);

    rig.send("DeadLetterQueue", second);
    rig.send("StreamFailureQueue", third);
    rig.send("RunQueue", third);
    var sweep = new dev.runyard.functions.sweep.Handler(rig.function("SweepFunction"));
    try {
      sweep.handleRequest(new ScheduledEvent(), null);
    } catch (RuntimeException _) {
      // It tells of parts that failed; the record says what was refused.
    }
  }

  private static RunKey submitted(dev.runyard.functions.api.Handler api, String key)
      throws Exception {
    var request =
        ProductRig.post(
            "/v1/runs",
            "{\"agent\":\"echo\",\"prompt\":\"hi\",\"session_id\":\"" + SESSION + "\"}");
    request.setHeaders(Map.of("Content-Type", "application/json", "Idempotency-Key", key));
    var answer = api.handleRequest(request, null);
    assertEquals(202, answer.getStatusCode(), answer.getBody());
    return new RunKey(TENANT, ProductRig.json(answer.getBody()).path("run_id").asText());
  }

  private static void upload(dev.runyard.functions.api.Handler api) throws Exception {
    byte[] content = {1, 2, 3};
    var request =
        ProductRig.post(
            "/v1/uploads",
            "{\"size_bytes\":3,\"sha256\":\"%s\",\"format\":\"zip\"}"
                .formatted(HexFormat.of().formatHex(Digest.of(content))));
    request.setHeaders(Map.of("Content-Type", "application/json"));
    var place = ProductRig.json(api.handleRequest(request, null).getBody()).path("put");
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

  private static void useKeys(dev.runyard.functions.api.Handler api, Map<String, String> function)
      throws Exception {
    var made = api.handleRequest(ProductRig.post("/v1/keys", "{\"scopes\":[\"runs:read\"]}"), null);
    var id = ProductRig.json(made.getBody()).path("id").asText();
    api.handleRequest(ProductRig.request("GET", "/v1/keys"), null);
    api.handleRequest(ProductRig.post("/v1/keys/" + id + "/revoke", ""), null);
    checkKey(function);
  }

  /// One function gives stream tokens, the other takes them.
  private static void useStreamTokens(ProductRig rig, RunKey run) {
    var token = new StreamToken("hash", run, "test", Instant.EPOCH);
    tried(() -> streamTokens(rig.function("ApiFunction")).add(token));
    tried(() -> streamTokens(rig.function("StreamFunction")).find("hash"));
  }

  private static StreamTokens streamTokens(Map<String, String> function) {
    Settings settings = new Settings(function);
    return new DynamoStreamTokens(new AwsClients(settings).dynamo(), settings.viewsTable());
  }

  /// What a function asks of the table where callers show keys.
  private static void checkKey(Map<String, String> function) {
    Settings settings = new Settings(function);
    var keys = new DynamoKeys(new AwsClients(settings).dynamo(), settings.viewsTable());
    var grant =
        new AccessKey.Grant(TENANT, Optional.empty(), Set.of(Scope.RUNS_READ), Optional.empty());
    var key = AccessKey.made(KeyText.drawn(new Random(1)), "key", grant, "test", Instant.EPOCH);
    tried(() -> keys.find(key.hash()));
    tried(() -> keys.used(key, Instant.EPOCH, Instant.EPOCH));
  }

  private static void useStream(ProductRig rig) throws Exception {
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
              HttpRequest.newBuilder(runs)
                  .header("Content-Type", "application/json")
                  .header(
                      "x-amzn-request-context",
                      "{\"identity\":{\"userArn\":\"%s\"}}".formatted(ProductRig.SIGNER))
                  .POST(HttpRequest.BodyPublishers.ofString(body))
                  .build(),
              BodyHandlers.ofString());
      assertEquals(202, answer.statusCode(), answer.body());
      checkKey(rig.function("StreamFunction"));
      ArtifactStore artifacts =
          new Wiring("stream", rig.function("StreamFunction")).artifacts().get();
      tried(() -> artifacts.get(TENANT + "/runs/x/changes/list.json"));
    } finally {
      server.stop(0);
    }
  }

  /// What the runner asks of its adapters. A call that is refused must not hide the next one.
  private static void useRunner(ProductRig rig, RunKey run) {
    Settings settings = new Settings(rig.runner());
    AwsClients clients = new AwsClients(settings);
    InstantSource clock = InstantSource.system();
    EventLog events =
        new DynamoEventLog(clients.dynamo(), settings.eventsTable(), settings.retention(), clock);
    RunQueue queue = new SqsRunQueue(clients.sqs(), settings.runQueueUrl());
    ArtifactStore artifacts = new S3ArtifactStore(clients.s3(), settings.artifactsBucket());
    DynamoReadModels models =
        new DynamoReadModels(clients.dynamo(), settings.viewsTable(), settings.retention(), clock);
    Slots slots = new DynamoSlots(clients.dynamo(), settings.viewsTable());
    tried(() -> slots.read());
    tried(() -> slots.write(new Slot.Free(900, 1)));
    tried(() -> events.append(events.chunksAfter(run, 0).getFirst()));
    tried(() -> models.snapshot(run));
    tried(() -> new SessionHistory(models, events).of(TENANT, SESSION));
    for (String key :
        List.of(
            TENANT + "/sessions/echo/session/x.json",
            TENANT + "/workspaces/" + run.runId() + "/1.json",
            TENANT + "/runs/" + run.runId() + "/changes/list.json")) {
      tried(() -> artifacts.get(key));
      tried(() -> artifacts.put(key, new byte[] {1}));
      tried(() -> artifacts.delete(key));
    }
    tried(() -> artifacts.get("uploads/" + TENANT + "/x.zip"));
    tried(() -> artifacts.put(new StoredOutput(run, "out1-a").key(), new byte[] {1}));
    AwsSecretVault vault = new AwsSecretVault(clients::secrets, clients::parameters);
    tried(() -> vault.secret(ProductRig.SECRET));
    tried(() -> vault.parameter(ProductRig.PARAMETER));
    for (Ticket ticket : queue.receive(1, 0)) {
      tried(() -> queue.extend(ticket, 0));
      tried(() -> queue.send(QueueMessage.of(ticket.run()), 0));
      tried(() -> queue.delete(ticket));
    }
  }

  private static void tried(Runnable call) {
    try {
      call.run();
    } catch (PortUnavailable refused) {
      assertTrue(String.valueOf(refused.getMessage()).contains("AccessDenied"), refused::toString);
    }
  }
}
