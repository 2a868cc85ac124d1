package dev.runyard.aws;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.projection.ReadModels;
import dev.runyard.core.projection.RunFilter;
import dev.runyard.core.projection.RunPage;
import dev.runyard.core.run.RunState;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;

/// The read models as items of a DynamoDB table: a snapshot per run, in its own partition, and a
/// row of its tenant's list ([RunLists]). Open runs are also in the sparse index `due`, by shard
/// and due time. Reads are eventually consistent and cost half, since whoever decides folds the
/// log's tail on top.
///
/// Items that stood in their tenant's one partition are looked for only where the run is older than
/// this process: since then nobody writes there.
public final class DynamoReadModels implements ReadModels {
  static final String DUE_INDEX = "due";

  private final DynamoDbClient dynamo;
  private final String table;
  private final Duration retention;
  private final InstantSource clock;
  private final RunLists lists;
  private final Instant began;

  public DynamoReadModels(
      DynamoDbClient dynamo, String table, Duration retention, InstantSource clock) {
    this.dynamo = dynamo;
    this.table = table;
    this.retention = retention;
    this.clock = clock;
    this.lists = new RunLists(dynamo, table);
    this.began = clock.instant();
  }

  @Override
  public Optional<RunState.Existing> snapshot(RunKey run) {
    return item(RunItems.snapshotKey(run)).or(() -> former(run)).map(RunItems::state);
  }

  /// The row is written first, so that lists are at least as new as the snapshot. If the process
  /// dies between the two, another save of the run follows.
  @Override
  public boolean save(RunState.Existing run) {
    AttributeValue expires = Attributes.expiry(clock, retention);
    lists.save(run, expires);
    Optional<Map<String, AttributeValue>> before =
        put(RunItems.snapshot(run, expires), run.sequence());
    if (before.isEmpty() || before.get().isEmpty()) {
      move(run.facts().run(), expires);
    }
    return before.isPresent();
  }

  @Override
  public RunPage list(String tenant, RunFilter filter, int limit, Optional<String> after) {
    if (limit < 1 || limit > LIST_MAX) {
      throw new IllegalArgumentException("a list has 1 to " + LIST_MAX + " runs");
    }
    return lists.page(tenant, filter, limit, after);
  }

  @Override
  public List<RunKey> due(int shard, Instant now, int limit) {
    List<RunKey> runs = new ArrayList<>();
    Map<String, AttributeValue> from = Map.of();
    do {
      QueryRequest.Builder request =
          QueryRequest.builder()
              .tableName(table)
              .indexName(DUE_INDEX)
              .keyConditionExpression("#open = :shard AND due <= :now")
              .expressionAttributeNames(Map.of("#open", RunItems.OPEN))
              .expressionAttributeValues(
                  Map.of(
                      ":shard",
                      RunItems.dueShard(shard),
                      ":now",
                      Attributes.number(now.toEpochMilli())))
              .limit(limit - runs.size());
      if (!from.isEmpty()) {
        request.exclusiveStartKey(from);
      }
      QueryResponse page = ServiceCall.answer("due", () -> dynamo.query(request.build()));
      page.items().forEach(item -> runs.add(RunItems.run(item)));
      from = page.lastEvaluatedKey();
    } while (!from.isEmpty() && runs.size() < limit);
    return runs;
  }

  private Optional<Map<String, AttributeValue>> former(RunKey run) {
    return run.madeAt().isBefore(began) ? item(RunItems.formerKey(run)) : Optional.empty();
  }

  private Optional<Map<String, AttributeValue>> item(Map<String, AttributeValue> key) {
    GetItemRequest request =
        GetItemRequest.builder()
            .tableName(table)
            .key(key)
            .projectionExpression(RunItems.BODY)
            .build();
    Map<String, AttributeValue> item =
        ServiceCall.answer("snapshot", () -> dynamo.getItem(request)).item();
    return RunItems.hasBody(item) ? Optional.of(item) : Optional.empty();
  }

  /// The item before the put, which has no attributes if this is the first; empty when the stored
  /// one was not older.
  private Optional<Map<String, AttributeValue>> put(
      Map<String, AttributeValue> item, long sequence) {
    PutItemRequest request =
        PutItemRequest.builder()
            .tableName(table)
            .item(item)
            .conditionExpression("attribute_not_exists(pk) OR seq < :seq")
            .expressionAttributeValues(Map.of(":seq", Attributes.number(sequence)))
            .returnValues(ReturnValue.ALL_OLD)
            .build();
    return ServiceCall.answer(
        "save",
        () -> {
          try {
            return Optional.of(dynamo.putItem(request).attributes());
          } catch (ConditionalCheckFailedException _) {
            return Optional.empty();
          }
        });
  }

  /// Removes the run's older item, in its tenant's single partition, from list and index. Repeated
  /// whenever a save came too late, to complete an interrupted one.
  private void move(RunKey run, AttributeValue expires) {
    if (former(run).isEmpty()) {
      return;
    }
    PutItemRequest request =
        PutItemRequest.builder().tableName(table).item(RunItems.moved(run, expires)).build();
    ServiceCall.answer("move", () -> dynamo.putItem(request));
  }
}
