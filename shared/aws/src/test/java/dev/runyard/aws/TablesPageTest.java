package dev.runyard.aws;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.core.access.AccessKey;
import dev.runyard.core.access.KeyText;
import dev.runyard.core.access.Scope;
import dev.runyard.core.access.StreamToken;
import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.fleet.Slot;
import dev.runyard.core.fleet.StartFailure;
import dev.runyard.core.fleet.StartTrouble;
import dev.runyard.core.hook.Hook;
import dev.runyard.core.hook.HookDelivery;
import dev.runyard.core.hook.HookId;
import dev.runyard.core.hook.HookOutcome;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.job.JobKey;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.ChunkBody;
import dev.runyard.core.quota.Quota;
import dev.runyard.core.quota.QuotaLimit;
import dev.runyard.core.quota.TenantUses;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.run.RunFold;
import dev.runyard.core.run.RunState;
import dev.runyard.core.session.SessionQueue;
import dev.runyard.core.stream.ChunkHash;
import dev.runyard.core.submit.IdempotencyStore;
import dev.runyard.core.task.TaskKey;
import dev.runyard.core.webhook.Delivery;
import dev.runyard.core.webhook.DeliveryKey;
import dev.runyard.core.webhook.Webhooks;
import dev.runyard.testkit.contract.SampleJobs;
import dev.runyard.testkit.contract.SampleTasks;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/// Compares docs/tables.md with the items the adapters write.
@ExtendWith(Emulators.Given.class)
class TablesPageTest {
  private static final Duration RETENTION = Duration.ofDays(30);
  private static final RunKey RUN = new RunKey("docs", "019c0000-0000-7000-8000-00000000d0c5");
  private static final String FLEET = "fleet";
  private static final String RUNNER = "docs-runner";
  private static final AccessKey KEY =
      AccessKey.made(
          KeyText.drawn(new Random(23)),
          "docs-key",
          new AccessKey.Grant(
              "docs", Optional.of("name"), Set.of(Scope.RUNS_READ), Optional.of(Instant.EPOCH)),
          "docs",
          Instant.EPOCH);
  private static final String OURS =
      "docs#.*|%s|wakeup#%s|key#%s|stream#%s".formatted(FLEET, RUNNER, KEY.hash(), "docs-token");

  private final DynamoDbClient dynamo;

  TablesPageTest(Emulators emulators) {
    this.dynamo = emulators.dynamo();
  }

  /// One of every item, each written by its adapter; the items of a read model are written by
  /// saving a run.
  @BeforeEach
  void write() {
    Chunk chunk =
        new Chunk(
            RUN,
            "chunk",
            "docs",
            ChunkBody.of(EventCodec.RUNS, List.of(created())),
            Optional.of("queued"),
            true,
            Optional.of(ChunkHash.of(new byte[ChunkHash.HASH_BYTES])));
    new DynamoEventLog(dynamo, TestTables.EVENTS, RETENTION, () -> Instant.EPOCH).append(chunk);
    new DynamoReadModels(dynamo, TestTables.VIEWS, RETENTION, () -> Instant.EPOCH)
        .save((RunState.Existing) RunFold.evolve(RunState.absent(), created()));
    new DynamoIdempotencyStore(dynamo, TestTables.VIEWS)
        .bind(new IdempotencyStore.Claim("docs", "key", "fingerprint", RUN.runId(), Instant.EPOCH));
    new DynamoSessionQueue(dynamo, TestTables.VIEWS, RETENTION, () -> Instant.EPOCH)
        .write("docs", "session-1", new SessionQueue.Turns(0, List.of(RUN.runId())));
    DynamoKeys keys = new DynamoKeys(dynamo, TestTables.VIEWS);
    keys.add(KEY);
    keys.used(KEY, Instant.EPOCH, Instant.EPOCH);
    keys.revoke(KEY.tenant(), KEY.id(), Instant.EPOCH);
    new DynamoStreamTokens(dynamo, TestTables.VIEWS)
        .add(
            new StreamToken(
                "docs-token", RUN, "docs", Optional.of("hash-of-a-key"), Instant.EPOCH));
    HookId hook = new HookId("docs", "token");
    new DynamoHookStore(dynamo, TestTables.VIEWS)
        .write(
            new Hook(hook, 1, JsonNodeFactory.instance.objectNode(), Instant.EPOCH, Instant.EPOCH));
    for (HookOutcome outcome : List.of(HookOutcome.IGNORED, HookOutcome.UNPROVEN)) {
      new DynamoHookDeliveries(dynamo, TestTables.VIEWS)
          .add(
              new HookDelivery(
                  hook,
                  Instant.EPOCH,
                  outcome,
                  "",
                  "",
                  0,
                  Optional.empty(),
                  "",
                  Optional.empty(),
                  Optional.empty()));
    }
    Slot.Claim claim = new Slot.Claim("claim", Instant.EPOCH, Optional.of("task"));
    DynamoSlots slots = new DynamoSlots(dynamo, TestTables.VIEWS, FLEET);
    slots.write(new Slot.Held(7, 1, claim, "runner", Instant.EPOCH, false, 1, 1));
    new DynamoWakeups(dynamo, TestTables.VIEWS, () -> Instant.EPOCH).send(RUNNER, "mark");
    new DynamoWebhooks(dynamo, TestTables.VIEWS)
        .write("docs", new Webhooks.Registered(0, List.of()));
    new DynamoDeliveries(dynamo, TestTables.VIEWS, RETENTION, () -> Instant.EPOCH).add(delivery());
    quota();
    jobs();
    new DynamoTaskModels(dynamo, TestTables.VIEWS, RETENTION, () -> Instant.EPOCH)
        .save(SampleTasks.running(new TaskKey("docs", "t-1"), Instant.EPOCH));
    slots.write(
        new StartTrouble(
            1, StartFailure.Cause.NO_IMAGE, Instant.EPOCH, Instant.EPOCH, Instant.EPOCH));
  }

  private void jobs() {
    JobKey job = new JobKey("docs", "j-1");
    DynamoJobs jobs = new DynamoJobs(dynamo, TestTables.VIEWS, RETENTION, () -> Instant.EPOCH);
    jobs.models().save(SampleJobs.running(job, Instant.EPOCH));
    jobs.items().put(job, "name-0", new byte[] {1});
    jobs.items().save(job, List.of(SampleJobs.row(1, 5)));
  }

  private void quota() {
    DynamoTenantUses uses =
        new DynamoTenantUses(dynamo, TestTables.VIEWS, RETENTION, () -> Instant.EPOCH);
    Quota quota = new Quota(Map.of(QuotaLimit.OPEN_RUNS, 9L, QuotaLimit.MINUTE_SUBMITS, 9L));
    RunKey ended = new RunKey("docs", "019c0000-0000-7000-8000-00000000d0c6");
    uses.admit(ended, quota, Instant.EPOCH);
    uses.admit(RUN, quota, Instant.EPOCH);
    uses.place(RUN, 1);
    uses.free(ended, Optional.of(new TenantUses.Ended(1, 1, Instant.EPOCH)));
    new DynamoHeldRuns(dynamo, TestTables.VIEWS, RETENTION, () -> Instant.EPOCH).add(RUN);
  }

  @Test
  void describesEveryAttributeOfEveryItem() {
    Set<String> written = new TreeSet<>();
    for (Map<String, AttributeValue> item : stored()) {
      String pk = text(item, "pk");
      String sk = text(item, "sk");
      TablesPage.Item described =
          TablesPage.items().stream()
              .filter(kind -> kind.has(pk, sk))
              .findFirst()
              .orElseThrow(() -> new AssertionError(pk + ", " + sk + " is not described"));
      Map<String, String> types = new TreeMap<>();
      item.forEach((name, value) -> types.put(name, value.type().name()));
      assertEquals(described.types(), types, described.heading());
      written.add(described.heading());
    }

    assertEquals(
        TablesPage.items().stream().map(TablesPage.Item::heading).sorted().toList(),
        List.copyOf(written),
        "what is described is written");
  }

  private List<Map<String, AttributeValue>> stored() {
    List<Map<String, AttributeValue>> items = new ArrayList<>();
    for (String table : List.of(TestTables.EVENTS, TestTables.VIEWS)) {
      dynamo.scanPaginator(scan -> scan.tableName(table)).items().stream()
          .filter(
              item -> text(item, "pk").matches(OURS) || text(item, "sk").matches("docs|docs#.*"))
          .forEach(items::add);
    }
    return items;
  }

  private static String text(Map<String, AttributeValue> item, String name) {
    AttributeValue value = Attributes.of(item, name);
    return value.s() == null ? value.n() : value.s();
  }

  private static Delivery delivery() {
    return new Delivery(
        new DeliveryKey("docs", "wh_0123456789abcdef", "msg_" + "0".repeat(44)),
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
        0);
  }

  private static StoredEvent created() {
    RunEvent event =
        new RunEvent.TaskCreated(
            "echo", Map.of(), List.of(), null, 60, Map.of(), Map.of(), RetryPolicy.NEVER);
    return new StoredEvent(RUN, "session-1", null, 1, Instant.EPOCH, event);
  }
}
