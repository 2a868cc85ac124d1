package dev.runyard.aws;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.ChunkBody;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.testkit.contract.EventLogContract;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;

@ExtendWith(Emulators.Given.class)
class DynamoEventLogTest extends EventLogContract {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final Duration RETENTION = Duration.ofDays(30);
  private static final RunKey RUN = new RunKey("acme", "019c0000-0000-7000-8000-000000000001");
  private final Emulators emulators;

  DynamoEventLogTest(Emulators emulators) {
    this.emulators = emulators;
  }

  @Override
  protected EventLog eventLog() {
    return log(emulators.dynamo(), TestTables.EVENTS);
  }

  @Test
  void storesExactlyTheDeclaredAttributes() {
    Chunk output = chunk(1, Optional.empty(), false);
    Chunk end = chunk(2, Optional.of("completed"), true);
    eventLog().append(output);
    eventLog().append(end);

    Map<String, AttributeValue> common =
        Map.of(
            "pk", AttributeValue.fromS("acme#run#019c0000-0000-7000-8000-000000000001"),
            "sk", AttributeValue.fromN("1"),
            "last", AttributeValue.fromN("1"),
            "id", AttributeValue.fromS("chunk-1"),
            "writer", AttributeValue.fromS("runner-1"),
            "body", Attributes.bytes(output.body().bytes()),
            "expires", AttributeValue.fromN(Long.toString(NOW.plus(RETENTION).getEpochSecond())));
    assertEquals(common, item(1));
    assertEquals(AttributeValue.fromS("completed"), item(2).get("state"));
    assertEquals(AttributeValue.fromBool(true), item(2).get("closed"));
  }

  @Test
  void isUnavailableWhenNobodyAnswers() {
    try (DynamoDbClient nobody =
        emulators
            .clients(Map.of(Settings.ENDPOINT_URL_DYNAMODB, "http://127.0.0.1:1"), List.of())
            .dynamo()) {
      EventLog log = log(nobody, TestTables.EVENTS);

      assertThrows(PortUnavailable.class, () -> log.append(chunk(1, Optional.empty(), false)));
      assertThrows(PortUnavailable.class, () -> log.chunksAfter(RUN, 0));
      assertThrows(PortUnavailable.class, () -> log.chunkAt(RUN, 1));
    }
  }

  @Test
  void isUnavailableWhileItsTableIsMissing() {
    EventLog log = log(emulators.dynamo(), "missing-table");

    PortUnavailable refused = assertThrows(PortUnavailable.class, () -> log.chunksAfter(RUN, 0));

    assertEquals("read was refused: ResourceNotFoundException", refused.getMessage());
  }

  @Test
  void callsAMistakeAMistake() {
    EventLog log = log(emulators.dynamo(), "no table is called like this");

    assertThrows(DynamoDbException.class, () -> log.chunksAfter(RUN, 0));
  }

  private static EventLog log(DynamoDbClient dynamo, String table) {
    return new DynamoEventLog(dynamo, table, RETENTION, () -> NOW);
  }

  private Map<String, AttributeValue> item(long sequence) {
    return emulators
        .dynamo()
        .getItem(
            get ->
                get.tableName(TestTables.EVENTS)
                    .key(
                        Map.of(
                            "pk", Attributes.text(RUN.partition()),
                            "sk", Attributes.number(sequence))))
        .item();
  }

  private static Chunk chunk(long at, Optional<String> state, boolean closed) {
    return new Chunk(
        RUN,
        "chunk-" + at,
        "runner-1",
        ChunkBody.of(
            EventCodec.RUNS,
            List.of(
                new StoredEvent(RUN, "session-1", null, at, NOW, new RunEvent.ModelDelta("text")))),
        state,
        closed);
  }
}
