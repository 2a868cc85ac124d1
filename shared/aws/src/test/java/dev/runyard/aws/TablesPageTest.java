package dev.runyard.aws;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.fleet.Slot;
import dev.runyard.core.fleet.StartFailure;
import dev.runyard.core.fleet.StartTrouble;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.ChunkBody;
import dev.runyard.core.projection.ReadModels;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.run.RunFold;
import dev.runyard.core.run.RunState;
import dev.runyard.core.session.SessionQueue;
import dev.runyard.core.submit.IdempotencyStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/// Compares docs/tables.md with the items the adapters write.
@ExtendWith(Emulators.Given.class)
class TablesPageTest {
  private static final Path PAGE = Path.of("..", "..", "docs", "tables.md");
  private static final Duration RETENTION = Duration.ofDays(30);
  private static final RunKey RUN = new RunKey("docs", "019c0000-0000-7000-8000-00000000d0c5");
  private static final String DIGEST =
      "2c70e12b7a0646f92279f427c7b38e7334d8e5389cff167a1dc30e73f826b683";

  private final Emulators emulators;

  TablesPageTest(Emulators emulators) {
    this.emulators = emulators;
  }

  @Test
  void describesEveryAttributeOfAChunk() throws IOException {
    ChunkBody body = ChunkBody.of(EventCodec.RUNS, List.of(created()));
    Chunk chunk = new Chunk(RUN, "chunk", "docs", body, Optional.of("queued"), true);
    new DynamoEventLog(emulators.dynamo(), TestTables.EVENTS, RETENTION, () -> Instant.EPOCH)
        .append(chunk);

    assertEquals(page("Events"), stored(TestTables.EVENTS, RUN.partition(), number(1)));
  }

  @Test
  void describesEveryAttributeOfAReadModel() throws IOException {
    new DynamoReadModels(emulators.dynamo(), TestTables.VIEWS, RETENTION, () -> Instant.EPOCH)
        .save((RunState.Existing) RunFold.evolve(RunState.absent(), created()));

    assertEquals(
        page("Read models"), stored(TestTables.VIEWS, RUN.partition(), Attributes.text("-")));
    assertEquals(
        page("Lists"),
        stored(
            TestTables.VIEWS,
            "docs#runs#" + ReadModels.listShardOf(RUN),
            Attributes.text(RUN.runId())));
  }

  @Test
  void describesEveryAttributeOfARunOfASession() throws IOException {
    new DynamoReadModels(emulators.dynamo(), TestTables.VIEWS, RETENTION, () -> Instant.EPOCH)
        .save((RunState.Existing) RunFold.evolve(RunState.absent(), created()));

    assertEquals(
        page("Runs of a session"),
        stored(TestTables.VIEWS, "docs#session#session-1", Attributes.text(RUN.runId())));
  }

  @Test
  void describesEveryAttributeOfAnIdempotencyKey() throws IOException {
    new DynamoIdempotencyStore(emulators.dynamo(), TestTables.VIEWS)
        .bind(new IdempotencyStore.Claim("docs", "key", "fingerprint", RUN.runId(), Instant.EPOCH));

    assertEquals(
        page("Idempotency keys"),
        stored(TestTables.VIEWS, "docs#key#" + DIGEST, Attributes.text("-")));
  }

  @Test
  void describesEveryAttributeOfASessionsTurns() throws IOException {
    new DynamoSessionQueue(emulators.dynamo(), TestTables.VIEWS, RETENTION, () -> Instant.EPOCH)
        .write("docs", "session-1", new SessionQueue.Turns(0, List.of(RUN.runId())));

    assertEquals(
        page("Turns of a session"),
        stored(TestTables.VIEWS, "docs#session#session-1", Attributes.text("-")));
  }

  @Test
  void describesEveryAttributeOfASlot() throws IOException {
    Slot.Claim claim = new Slot.Claim("claim", Instant.EPOCH, Optional.of("task"));
    new DynamoSlots(emulators.dynamo(), TestTables.VIEWS, "docs-fleet")
        .write(new Slot.Held(7, 1, claim, "runner", Instant.EPOCH, true));

    assertEquals(
        page("Slots of the runners"),
        stored(TestTables.VIEWS, "docs-fleet", Attributes.text("slot-007")));
  }

  @Test
  void describesEveryAttributeOfFailingStarts() throws IOException {
    new DynamoSlots(emulators.dynamo(), TestTables.VIEWS, "docs-fleet")
        .write(new StartTrouble(1, StartFailure.Cause.QUOTA, Instant.EPOCH, Instant.EPOCH));

    assertEquals(
        page("Failing starts"), stored(TestTables.VIEWS, "docs-fleet", Attributes.text("starts")));
  }

  /// Attribute names and types of the page's table under `heading`.
  private static Map<String, String> page(String heading) throws IOException {
    Map<String, String> types = new TreeMap<>();
    Files.readString(PAGE)
        .lines()
        .dropWhile(line -> !line.equals("## " + heading))
        .dropWhile(line -> !line.startsWith("|"))
        .takeWhile(line -> line.startsWith("|"))
        .skip(2)
        .map(line -> Arrays.stream(line.split("\\|", -1)).map(String::strip).toList())
        .forEach(cells -> types.put(cells.get(1).replace("`", ""), cells.get(2)));
    return types;
  }

  private Map<String, String> stored(String table, String partition, AttributeValue sort) {
    Map<String, String> types = new TreeMap<>();
    emulators
        .dynamo()
        .getItem(
            get -> get.tableName(table).key(Map.of("pk", Attributes.text(partition), "sk", sort)))
        .item()
        .forEach((name, value) -> types.put(name, value.type().name()));
    return types;
  }

  private static AttributeValue number(long value) {
    return Attributes.number(value);
  }

  private static StoredEvent created() {
    RunEvent event =
        new RunEvent.TaskCreated(
            "echo", Map.of(), List.of(), null, 60, Map.of(), Map.of(), RetryPolicy.NEVER);
    return new StoredEvent(RUN, "session-1", null, 1, Instant.EPOCH, event);
  }
}
