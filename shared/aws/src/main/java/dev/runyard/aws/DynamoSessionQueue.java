package dev.runyard.aws;

import dev.runyard.core.session.SessionQueue;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;

/// The order of turns as items of the views table, one partition per session: a read is strongly
/// consistent, a write is one put on the condition that the version is still the one that was read.
public final class DynamoSessionQueue implements SessionQueue {
  private static final String RUNS = "runs";
  private static final AttributeValue ONLY = RunItems.ONLY;

  private final DynamoDbClient dynamo;
  private final String table;
  private final Duration retention;
  private final InstantSource clock;

  public DynamoSessionQueue(
      DynamoDbClient dynamo, String table, Duration retention, InstantSource clock) {
    this.dynamo = dynamo;
    this.table = table;
    this.retention = retention;
    this.clock = clock;
  }

  @Override
  public Turns read(String tenant, String sessionId) {
    GetItemRequest request =
        GetItemRequest.builder()
            .tableName(table)
            .key(Map.of("pk", RunItems.sessionPartition(tenant, sessionId), "sk", ONLY))
            .consistentRead(true)
            .build();
    Map<String, AttributeValue> item =
        ServiceCall.answer("turns", () -> dynamo.getItem(request)).item();
    return item.isEmpty()
        ? Turns.NONE
        : new Turns(
            Long.parseLong(Attributes.of(item, VersionedPut.VERSION).n()),
            Attributes.of(item, RUNS).l().stream().map(AttributeValue::s).toList(),
            item.containsKey(RunItems.INDEXED));
  }

  @Override
  public boolean write(String tenant, String sessionId, Turns next) {
    Map<String, AttributeValue> item = new HashMap<>();
    item.put("pk", RunItems.sessionPartition(tenant, sessionId));
    item.put("sk", ONLY);
    item.put(RUNS, AttributeValue.fromL(next.runs().stream().map(Attributes::text).toList()));
    item.put(Attributes.EXPIRES, Attributes.expiry(clock, retention));
    if (next.indexed()) {
      item.put(RunItems.INDEXED, AttributeValue.fromBool(true));
    }
    return new VersionedPut(dynamo, table).put("take turns", item, next.version());
  }
}
