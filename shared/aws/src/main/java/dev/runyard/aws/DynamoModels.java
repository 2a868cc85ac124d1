package dev.runyard.aws;

import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.projection.ModelKind;
import dev.runyard.core.projection.Models;
import dev.runyard.core.stream.StreamState;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/// Snapshots of the streams of one kind, each in its stream's own partition, and rows of their
/// tenants' lists, which are written first. Those that are due are also in the index `due`, beside
/// the runs. Reads are eventually consistent, since whoever decides folds the log's tail on top.
class DynamoModels<K extends StreamKey, S extends StreamState> implements Models<K, S> {
  private static final String BODY = "body";
  private static final String SEQ = "seq";

  /// Tenant, kind and id.
  private static final int KEY_PARTS = 3;

  private final ModelKind<K, S> kind;
  private final DynamoDbClient dynamo;
  private final String table;
  private final Duration retention;
  private final InstantSource clock;

  DynamoModels(
      ModelKind<K, S> kind,
      DynamoDbClient dynamo,
      String table,
      Duration retention,
      InstantSource clock) {
    this.kind = kind;
    this.dynamo = dynamo;
    this.table = table;
    this.retention = retention;
    this.clock = clock;
  }

  @Override
  public Optional<S> snapshot(K key) {
    GetItemRequest request =
        GetItemRequest.builder()
            .tableName(table)
            .key(Map.of("pk", Attributes.text(key.partition()), "sk", RunItems.ONLY))
            .build();
    return Optional.of(ServiceCall.answer("snapshot", () -> dynamo.getItem(request)).item())
        .filter(item -> !item.isEmpty())
        .map(this::state);
  }

  @Override
  public boolean save(S state) {
    K key = kind.keyOf().apply(state);
    Map<String, AttributeValue> row = item(state);
    row.put("pk", Attributes.text(list(key.tenant())));
    row.put("sk", Attributes.text(kind.placeOf(state)));
    put(row, state.sequence());
    Map<String, AttributeValue> snapshot = item(state);
    snapshot.put("pk", Attributes.text(key.partition()));
    snapshot.put("sk", RunItems.ONLY);
    kind.dueAt()
        .apply(state)
        .ifPresent(
            due -> {
              snapshot.put(RunItems.OPEN, shard(Models.shardOf(key)));
              snapshot.put(RunItems.DUE, Attributes.number(due.toEpochMilli()));
            });
    return put(snapshot, state.sequence());
  }

  private Map<String, AttributeValue> item(S state) {
    Map<String, AttributeValue> item = new HashMap<>();
    item.put(SEQ, Attributes.number(state.sequence()));
    item.put(BODY, Attributes.bytes(kind.pack(state)));
    item.put(Attributes.EXPIRES, Attributes.expiry(clock, retention));
    return item;
  }

  private boolean put(Map<String, AttributeValue> item, long sequence) {
    PutItemRequest request =
        PutItemRequest.builder()
            .tableName(table)
            .item(item)
            .conditionExpression("attribute_not_exists(pk) OR seq < :seq")
            .expressionAttributeValues(Map.of(":seq", Attributes.number(sequence)))
            .build();
    return ServiceCall.answer(
        "save",
        () -> {
          try {
            dynamo.putItem(request);
            return true;
          } catch (ConditionalCheckFailedException _) {
            return false;
          }
        });
  }

  @Override
  public List<S> newest(String tenant, int limit, Optional<String> after) {
    Map<String, AttributeValue> values = new HashMap<>();
    values.put(":pk", Attributes.text(list(tenant)));
    after.ifPresent(place -> values.put(":after", Attributes.text(place)));
    QueryRequest request =
        QueryRequest.builder()
            .tableName(table)
            .keyConditionExpression(after.isEmpty() ? "pk = :pk" : "pk = :pk AND sk < :after")
            .expressionAttributeValues(values)
            .scanIndexForward(false)
            .limit(limit)
            .build();
    return ServiceCall.answer(
        "list",
        () ->
            dynamo.queryPaginator(request).items().stream().limit(limit).map(this::state).toList());
  }

  @Override
  public List<K> due(int shard, Instant now, int limit) {
    QueryRequest request =
        QueryRequest.builder()
            .tableName(table)
            .indexName(DynamoReadModels.DUE_INDEX)
            .keyConditionExpression("#open = :shard AND due <= :now")
            .expressionAttributeNames(Map.of("#open", RunItems.OPEN))
            .expressionAttributeValues(
                Map.of(":shard", shard(shard), ":now", Attributes.number(now.toEpochMilli())))
            .limit(limit)
            .build();
    return ServiceCall.answer(
        "due",
        () ->
            dynamo.queryPaginator(request).items().stream()
                .limit(limit)
                .map(item -> key(Attributes.textOf(item, "pk")))
                .toList());
  }

  private S state(Map<String, AttributeValue> item) {
    return kind.unpack(Attributes.of(item, BODY).b().asByteArrayUnsafe());
  }

  private K key(String partition) {
    String[] parts = partition.split("#", KEY_PARTS);
    return kind.key().apply(parts[0], parts[KEY_PARTS - 1]);
  }

  private String list(String tenant) {
    return tenant + "#" + kind.names();
  }

  private AttributeValue shard(int shard) {
    return Attributes.text(kind.names() + "#" + shard);
  }
}
