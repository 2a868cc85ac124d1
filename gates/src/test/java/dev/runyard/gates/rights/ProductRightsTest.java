package dev.runyard.gates.rights;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.amazonaws.services.lambda.runtime.events.ScheduledEvent;
import dev.runyard.aws.AwsClients;
import dev.runyard.aws.AwsSecretVault;
import dev.runyard.aws.DynamoEventLog;
import dev.runyard.aws.DynamoReadModels;
import dev.runyard.aws.DynamoSlots;
import dev.runyard.aws.DynamoWakeups;
import dev.runyard.aws.S3ArtifactStore;
import dev.runyard.aws.Settings;
import dev.runyard.aws.SqsRunQueue;
import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.artifact.StoredOutput;
import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.fleet.Slot;
import dev.runyard.core.fleet.Slots;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.ChunkBody;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.queue.QueueMessage;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.queue.Ticket;
import dev.runyard.core.session.SessionHistory;
import dev.runyard.core.wakeup.Wakeups;
import dev.runyard.functions.Wiring;
import dev.runyard.gates.Planted;
import dev.runyard.local.rights.Call;
import dev.runyard.local.rights.CallRecord.Calls;
import dev.runyard.local.rights.Rights;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
                  + " \"dynamodb:GetItem\", Resource: !GetAtt ViewsTable.Arn }, under its condition on"
                  + " dynamodb:LeadingKeys"),
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
    var manage = new dev.runyard.functions.manage.Handler(rig.function("ManageFunction"));
    ProductUses.useStream(rig);
    RunKey first = submitted(api, "first");
    RunKey second = submitted(api, "second");
    RunKey third = submitted(api, "third");
    RunKey held = submitted(api, "held", "");
    submitted(api, "last", "");
    manage.handleRequest(ProductRig.request("GET", "/v1/quota"), null);
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
    ArtifactStore artifacts = new Wiring("api", rig.function("ApiFunction")).artifacts().get();
    ProductUses.tried(() -> artifacts.get(TENANT + "/runs/x/changes/list.json"));
    ProductUses.upload(manage);
    ProductUses.useKeys(manage, rig.function("ManageFunction"));
    ProductUses.checkKey(rig.function("ApiFunction"));
    var pinged = ProductUses.webhook(manage);
    for (String secret : List.of("A", "B")) {
      ProductUses.useHook(manage, api, secret);
    }
    ProductUses.useStreamTokens(rig, first);

    var project = new dev.runyard.functions.project.Handler(rig.function("ProjectFunction"));
    var advance = new dev.runyard.functions.advance.Handler(rig.function("AdvanceFunction"));
    for (RunKey run : List.of(first, second, third)) {
      project.handleRequest(ProductRig.changed(run), null);
      advance.handleRequest(ProductRig.changed(run), null);
    }
    advance.handleRequest(ProductRig.changed(first), null);
    RunKey odd = withoutBeginning(rig);
    project.handleRequest(ProductRig.changed(odd), null);
    advance.handleRequest(ProductRig.changed(odd), null);
    useRunner(rig, first);
    api.handleRequest(ProductRig.post("/v1/runs/" + first.runId() + "/cancel", ""), null);
    advance.handleRequest(ProductRig.changed(first), null);
    ProductUses.goBack(api, SESSION, first);
    // The next has its place, and leaves it to the last, which sweep sends.
    api.handleRequest(ProductRig.post("/v1/runs/" + held.runId() + "/cancel", ""), null);
    rig.send("DeadLetterQueue", held);

    project.handleRequest(ProductRig.changed(first), null);
    var deliver = new dev.runyard.functions.deliver.Handler(rig.function("DeliverFunction"));
    deliver.handleRequest(ProductRig.called(pinged), null);
    ProductUses.forBus(rig).forEach(told -> deliver.handleRequest(ProductRig.called(told), null));
    ProductUses.overdue(rig, pinged);

    rig.send("DeadLetterQueue", second);
    rig.send("StreamFailureQueue", third);
    rig.send("RunQueue", third);
    var sweep = new dev.runyard.functions.sweep.Handler(rig.function("SweepFunction"));
    try {
      sweep.handleRequest(new ScheduledEvent(), null);
    } catch (RuntimeException _) {
      // It tells of parts that failed; the record says what was refused.
    }
    ProductRepeats.use(rig, api);
  }

  /// A run that no code can handle, and that is therefore set aside.
  private static RunKey withoutBeginning(ProductRig rig) {
    RunKey run = new RunKey(TENANT, "00000000-0000-7000-8000-000000000009");
    StoredEvent alone =
        new StoredEvent(run, SESSION, null, 1, Instant.EPOCH, new RunEvent.RunStatus("queued"));
    new Wiring("api", rig.function("ApiFunction"))
        .events()
        .append(
            new Chunk(
                run,
                "odd",
                "test",
                ChunkBody.of(EventCodec.RUNS, List.of(alone)),
                Optional.of("queued"),
                false));
    return run;
  }

  private static RunKey submitted(dev.runyard.functions.api.Handler api, String key)
      throws Exception {
    return submitted(api, key, ",\"session_id\":\"" + SESSION + "\"");
  }

  private static RunKey submitted(dev.runyard.functions.api.Handler api, String key, String more)
      throws Exception {
    var request = ProductRig.post("/v1/runs", "{\"agent\":\"echo\",\"prompt\":\"hi\"" + more + "}");
    request.setHeaders(Map.of("Content-Type", "application/json", "Idempotency-Key", key));
    var answer = api.handleRequest(request, null);
    assertEquals(202, answer.getStatusCode(), answer.getBody());
    return new RunKey(TENANT, ProductRig.json(answer.getBody()).path("run_id").asText());
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
    ProductUses.tried(() -> slots.read());
    ProductUses.tried(() -> slots.write(new Slot.Free(900, 1)));
    ProductUses.tried(() -> events.append(events.chunksAfter(run, 0).getFirst()));
    ProductUses.tried(() -> models.snapshot(run));
    var history = new SessionHistory(models, events);
    for (String session : List.of(SESSION, run.runId(), ProductUses.sessionOfOldRuns(rig))) {
      ProductUses.tried(() -> history.of(TENANT, session));
    }
    Wakeups wakeups = new DynamoWakeups(clients.dynamo(), settings.viewsTable(), clock);
    ProductUses.tried(() -> wakeups.last("runner-a"));
    for (String key :
        List.of(
            TENANT + "/sessions/echo/session/x.json",
            TENANT + "/workspaces/" + run.runId() + "/1.json",
            TENANT + "/runs/" + run.runId() + "/changes/list.json")) {
      ProductUses.tried(() -> artifacts.get(key));
      ProductUses.tried(() -> artifacts.put(key, new byte[] {1}));
      ProductUses.tried(() -> artifacts.delete(key));
    }
    ProductUses.tried(() -> artifacts.get("uploads/" + TENANT + "/x.zip"));
    ProductUses.tried(() -> artifacts.put(new StoredOutput(run, "out1-a").key(), new byte[] {1}));
    AwsSecretVault vault = new AwsSecretVault(clients::secrets, clients::parameters);
    ProductUses.tried(() -> vault.secret(ProductRig.SECRET));
    ProductUses.tried(() -> vault.parameter(ProductRig.PARAMETER));
    for (Ticket ticket : queue.receive(1, 0)) {
      ProductUses.tried(() -> queue.extend(ticket, 0));
      ProductUses.tried(() -> queue.send(QueueMessage.of(ticket.run()), 0));
      ProductUses.tried(() -> queue.delete(ticket));
    }
  }
}
