package dev.runyard.aws;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.projection.ReadModels;
import dev.runyard.core.projection.RunFilter;
import dev.runyard.core.projection.RunPage;
import dev.runyard.core.projection.SnapshotCodec;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.run.RunFold;
import dev.runyard.core.run.RunState;
import dev.runyard.core.session.SessionQueue;
import dev.runyard.testkit.contract.ReadModelsContract;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

@ExtendWith(Emulators.Given.class)
class DynamoReadModelsTest extends ReadModelsContract {
  private static final Duration RETENTION = Duration.ofDays(30);
  private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");

  /// Write units of one partition in a second.
  private static final double PARTITION_UNITS = 1000;

  /// A run of a named session has one row in its tenant's list and one in its session.
  private static final int ROWS = 2;

  private final Emulators emulators;

  DynamoReadModelsTest(Emulators emulators) {
    this.emulators = emulators;
  }

  @Override
  protected ReadModels readModels() {
    return over(emulators.dynamo());
  }

  private static ReadModels over(DynamoDbClient dynamo) {
    return new DynamoReadModels(dynamo, TestTables.VIEWS, RETENTION, () -> START);
  }

  @Test
  void readsRunsFromTheOldPartition() {
    ReadModels models = readModels();
    RunState.Existing oldest = created("former", 1);
    RunState.Existing newer = created("former", 2);
    RunState.Existing newest = created("former", 3);
    former(oldest);
    models.save(newer);
    former(newest);

    assertEquals(
        List.of(newest, newer, oldest).stream().map(DynamoReadModelsTest::id).toList(),
        listed(models, "former"));
    assertEquals(
        SnapshotCodec.encode(oldest),
        SnapshotCodec.encode(models.snapshot(oldest.facts().run()).orElseThrow()));
    assertTrue(due(models).contains(oldest.facts().run()));
  }

  @Test
  void movesARunOutOfTheOldPartitionOnceItIsSavedAgain() {
    ReadModels models = readModels();
    RunState.Existing queued = created("moving", 1);
    former(queued);
    RunState.Existing ended =
        then(queued, new RunEvent.CancelRequested("enough"), new RunEvent.TaskCancelled("enough"));

    assertTrue(models.save(ended));

    assertEquals(List.of(id(ended)), listed(models, "moving"));
    assertEquals(
        List.of(),
        models.list("moving", new RunFilter("created", null, null), 10, Optional.empty()).runs());
    assertFalse(due(models).contains(queued.facts().run()));
    assertTrue(models.snapshot(ended.facts().run()).orElseThrow().closed());
  }

  @Test
  void findsTheRunsOfASessionOlderThanItsRows() {
    ReadModels models = readModels();
    RunState.Existing oldest = created("before", 1);
    RunState.Existing newer = created("before", 2);
    former(oldest);
    models.save(newer);
    SessionQueue turns =
        new DynamoSessionQueue(emulators.dynamo(), TestTables.VIEWS, RETENTION, () -> START);
    RunFilter session = new RunFilter(null, null, "s-1");

    turns.write("before", "s-1", new SessionQueue.Turns(0, List.of(id(oldest)), false));
    assertEquals(List.of(id(newer), id(oldest)), listed(models, "before", session));
    assertFalse(turns.read("before", "s-1").indexed());
  }

  /// However many runs the tenant has, those of a session are in one partition.
  @Test
  void listsTheRunsOfASessionFromOnePlace() {
    RequestMeter meter = new RequestMeter();
    readModels().save(created("sessions", 1));
    new DynamoSessionQueue(emulators.dynamo(), TestTables.VIEWS, RETENTION, () -> START)
        .write("sessions", "s-1", new SessionQueue.Turns(0, List.of(id(created("sessions", 1)))));
    try (DynamoDbClient counted = emulators.clients(Map.of(), List.of(meter)).dynamo()) {
      RunFilter session = new RunFilter(null, null, "s-1");

      assertEquals(List.of(id(created("sessions", 1))), listed(over(counted), "sessions", session));
    }
    assertEquals(Map.of("GetItem", 1L, "Query", 1L), meter.requests());
  }

  /// However many turns a session has, a page of it costs what the page has.
  @Test
  void readsNoMoreOfALongSessionThanAPage() {
    RequestMeter meter = new RequestMeter();
    ReadModels models = readModels();
    List<String> newest =
        IntStream.rangeClosed(1, 60)
            .mapToObj(number -> created("long", number))
            .peek(models::save)
            .map(DynamoReadModelsTest::id)
            .toList()
            .reversed();
    RunFilter session = new RunFilter(null, null, "s-1");
    try (DynamoDbClient counted = emulators.clients(Map.of(), List.of(meter)).dynamo()) {
      RunPage first = over(counted).list("long", session, 10, Optional.empty());
      RunPage second = over(counted).list("long", session, 10, first.next());

      assertEquals(newest.subList(0, 10), first.runs().stream().map(run -> id(run)).toList());
      assertEquals(newest.subList(10, 20), second.runs().stream().map(run -> id(run)).toList());
    }
    assertEquals(2L, meter.requests().get("Query"));
    assertTrue(meter.readUnits() <= 6, () -> "units: " + meter.readUnits());
  }

  /// Since a process began nobody writes to the one partition, so no look there is paid for.
  @Test
  void looksInTheOnePartitionOnlyForRunsOlderThanItself() {
    RequestMeter meter = new RequestMeter();
    RunKey young = new RunKey("young", "019d0000-0000-7000-8000-00000000f0f0");
    assertTrue(young.madeAt().isAfter(START));
    try (DynamoDbClient counted = emulators.clients(Map.of(), List.of(meter)).dynamo()) {
      ReadModels models = over(counted);

      assertTrue(models.snapshot(young).isEmpty());
      assertTrue(models.save(created(young)));
    }
    assertEquals(Map.of("GetItem", 1L, "PutItem", 3L), meter.requests());
  }

  /// Somebody who was still at work when this process began may have written there later.
  @Test
  void listsTheNewerOfTwoRowsOfARun() {
    ReadModels models = readModels();
    RunState.Existing queued = created("twice", 1);
    RunState.Existing ended =
        then(queued, new RunEvent.CancelRequested("enough"), new RunEvent.TaskCancelled("enough"));
    models.save(ended);
    former(queued);

    assertEquals(
        List.of(true),
        models.list("twice", new RunFilter(null, null, null), 10, Optional.empty()).runs().stream()
            .map(RunState.Existing::closed)
            .toList());
  }

  /// The save before may have been cut off behind the snapshot.
  @Test
  void completesAnInterruptedMove() {
    ReadModels models = readModels();
    RunState.Existing queued = created("cut", 1);
    models.save(queued);
    former(queued);

    assertFalse(models.save(queued));

    assertEquals(
        List.of(queued.facts().run()),
        due(models).stream().filter(run -> run.tenant().equals("cut")).toList());
    assertEquals(List.of(id(queued)), listed(models, "cut"));
  }

  /// However much an agent writes, saving its run uses little of what the tenant's runs share.
  @Test
  void aSaveTakesTwoUnitsOfAPartThatRunsShare() {
    RequestMeter meter = new RequestMeter();
    try (DynamoDbClient counted = emulators.clients(Map.of(), List.of(meter)).dynamo()) {
      RunState.Existing talkative = talkative("words", noise(1), noise(2));

      new RunLists(counted, TestTables.VIEWS).save(talkative, Attributes.number(0));

      double units = meter.writeUnits() / ROWS;
      assertTrue(units <= 2, () -> "units: " + units);
      double saves = ReadModels.LIST_SHARDS * PARTITION_UNITS / units;
      assertTrue(saves >= 70, () -> "saves a second: " + saves);
    }
  }

  /// JSON takes six bytes for a control character, and an item has 400 KB.
  @Test
  void keepsAnyWordsAnAgentMaySay() {
    String controls = "\u0001\u0002\u001b".repeat(30_000);
    RunState.Existing state = talkative("controls", controls, controls);

    assertTrue(readModels().save(state));

    RunState.Existing read = readModels().snapshot(state.facts().run()).orElseThrow();
    assertEquals(state.facts().finalText(), read.facts().finalText());
  }

  private static RunState.Existing talkative(String tenant, String whole, String writing) {
    return then(
        created(tenant, 1),
        new RunEvent.AttemptStarted(1, "a-1", "r-1", "t-1"),
        new RunEvent.ModelDelta(whole),
        new RunEvent.ModelCompleted(),
        new RunEvent.ModelDelta(writing));
  }

  /// Text that deflating does not make shorter.
  private static String noise(long seed) {
    StringBuilder text = new StringBuilder();
    new Random(seed).ints(60_000, 33, 127).forEach(c -> text.append((char) c));
    return text.toString();
  }

  private static List<String> listed(ReadModels models, String tenant) {
    return listed(models, tenant, RunFilter.ALL);
  }

  private static List<String> listed(ReadModels models, String tenant, RunFilter filter) {
    return models.list(tenant, filter, 10, Optional.empty()).runs().stream()
        .map(DynamoReadModelsTest::id)
        .toList();
  }

  private List<RunKey> due(ReadModels models) {
    return IntStream.range(0, ReadModels.DUE_SHARDS)
        .mapToObj(shard -> models.due(shard, START.plusSeconds(9999), 1000))
        .flatMap(List::stream)
        .toList();
  }

  /// Stores the run in the older form, with one partition per tenant.
  private void former(RunState.Existing run) {
    RunKey key = run.facts().run();
    Map<String, AttributeValue> item = new HashMap<>();
    item.put("pk", Attributes.text(key.tenant() + "#runs"));
    item.put("sk", Attributes.text(key.runId()));
    item.put("seq", Attributes.number(run.sequence()));
    item.put("body", Attributes.text(SnapshotCodec.encode(run)));
    item.put("status", Attributes.text(run.status().wire()));
    item.put("agent", Attributes.text("echo"));
    item.put("session", Attributes.text("s-1"));
    item.put("expires", Attributes.number(START.plus(RETENTION).getEpochSecond()));
    item.put("open", Attributes.text("open#" + ReadModels.shardOf(key)));
    item.put("due", Attributes.number(run.dueAt().orElseThrow().toEpochMilli()));
    emulators.dynamo().putItem(put -> put.tableName(TestTables.VIEWS).item(item));
  }

  private static String id(RunState.Existing run) {
    return run.facts().run().runId();
  }

  private static RunState.Existing created(String tenant, int number) {
    return created(new RunKey(tenant, "019c0000-%04x-7000-8000-00000000f0f0".formatted(number)));
  }

  private static RunState.Existing created(RunKey run) {
    RunEvent event =
        new RunEvent.TaskCreated(
            "echo", Map.of(), List.of(), null, 60, Map.of(), Map.of(), RetryPolicy.NEVER);
    return (RunState.Existing)
        RunFold.evolve(RunState.absent(), new StoredEvent(run, "s-1", null, 1, START, event));
  }

  private static RunState.Existing then(RunState.Existing from, RunEvent... events) {
    RunState state = from;
    for (RunEvent event : events) {
      state =
          RunFold.evolve(
              state,
              new StoredEvent(from.facts().run(), "s-1", null, state.sequence() + 1, START, event));
    }
    return (RunState.Existing) state;
  }
}
