package dev.runyard.aws;

import dev.runyard.core.task.TaskKey;
import dev.runyard.core.task.TaskModels;
import dev.runyard.core.task.TaskSnapshotCodec;
import dev.runyard.core.task.TaskState;
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

/// Snapshots of tasks, each in its task's own partition, and rows of their tenants' lists, which
/// are written first. Tasks that go on by themselves are also in the index `due`, beside the runs.
/// Reads are eventually consistent, since whoever decides folds the log's tail on top.
final class DynamoTaskModels implements TaskModels {
  private static final String BODY = "body";
  private static final String SEQ = "seq";
  private static final String SHARD_PREFIX = "tasks#";

  private final DynamoDbClient dynamo;
  private final String table;
  private final Duration retention;
  private final InstantSource clock;

  DynamoTaskModels(DynamoDbClient dynamo, String table, Duration retention, InstantSource clock) {
    this.dynamo = dynamo;
    this.table = table;
    this.retention = retention;
    this.clock = clock;
  }

  @Override
  public Optional<TaskState.Existing> snapshot(TaskKey task) {
    GetItemRequest request =
        GetItemRequest.builder()
            .tableName(table)
            .key(Map.of("pk", Attributes.text(task.partition()), "sk", RunItems.ONLY))
            .build();
    return Optional.of(ServiceCall.answer("snapshot", () -> dynamo.getItem(request)).item())
        .filter(item -> !item.isEmpty())
        .map(DynamoTaskModels::state);
  }

  @Override
  public boolean save(TaskState.Existing task) {
    TaskKey key = task.facts().task();
    Map<String, AttributeValue> row = item(task);
    row.put("pk", Attributes.text(list(key.tenant())));
    row.put("sk", Attributes.text(TaskModels.placeOf(task)));
    put(row, task.sequence());
    Map<String, AttributeValue> snapshot = item(task);
    snapshot.put("pk", Attributes.text(key.partition()));
    snapshot.put("sk", RunItems.ONLY);
    task.dueAt()
        .ifPresent(
            due -> {
              snapshot.put(RunItems.OPEN, shard(TaskModels.shardOf(key)));
              snapshot.put(RunItems.DUE, Attributes.number(due.toEpochMilli()));
            });
    return put(snapshot, task.sequence());
  }

  private Map<String, AttributeValue> item(TaskState.Existing task) {
    Map<String, AttributeValue> item = new HashMap<>();
    item.put(SEQ, Attributes.number(task.sequence()));
    item.put(BODY, Attributes.bytes(TaskSnapshotCodec.pack(task)));
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
  public TaskPage list(String tenant, int limit, Optional<String> after) {
    Map<String, AttributeValue> values = new HashMap<>();
    values.put(":pk", Attributes.text(list(tenant)));
    after.ifPresent(place -> values.put(":after", Attributes.text(place)));
    QueryRequest request =
        QueryRequest.builder()
            .tableName(table)
            .keyConditionExpression(after.isEmpty() ? "pk = :pk" : "pk = :pk AND sk < :after")
            .expressionAttributeValues(values)
            .scanIndexForward(false)
            .limit(limit + 1)
            .build();
    List<TaskState.Existing> found =
        ServiceCall.answer(
            "list",
            () ->
                dynamo.queryPaginator(request).items().stream()
                    .limit(limit + 1L)
                    .map(DynamoTaskModels::state)
                    .toList());
    return TaskPage.of(found, limit);
  }

  @Override
  public List<TaskKey> due(int shard, Instant now, int limit) {
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
                .map(item -> TaskKey.ofPartition(Attributes.textOf(item, "pk")))
                .toList());
  }

  private static TaskState.Existing state(Map<String, AttributeValue> item) {
    return TaskSnapshotCodec.unpack(Attributes.of(item, BODY).b().asByteArrayUnsafe());
  }

  private static String list(String tenant) {
    return tenant + "#tasks";
  }

  private static AttributeValue shard(int shard) {
    return Attributes.text(SHARD_PREFIX + shard);
  }
}
