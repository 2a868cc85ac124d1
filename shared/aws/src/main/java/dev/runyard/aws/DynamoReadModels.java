package dev.runyard.aws;

import dev.runyard.core.run.RunKey;
import dev.runyard.core.run.RunState;
import dev.runyard.core.view.ReadModels;
import dev.runyard.core.view.RunFilter;
import dev.runyard.core.view.RunPage;
import dev.runyard.core.view.SnapshotCodec;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
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
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;

/// The read models as items of a DynamoDB table: a partition per tenant, `<tenant>#runs`, sorted by
/// run id and so by age. Open runs are also in the sparse index `due`, by shard and due time. Reads
/// are eventually consistent and cost half, since whoever decides folds the log's tail on top; only
/// the runs of a session are read as they are: what was said in one is history for the next.
public final class DynamoReadModels implements ReadModels {
  static final String DUE_INDEX = "due";

  /// Pages one list call reads, so that a filter that matches little ends the call, not the budget.
  private static final int LIST_READS_MAX = 10;

  /// Runs one page looks at when a filter is set.
  private static final int LIST_LOOKS = 2 * LIST_MAX;

  private static final String PK = "pk";
  private static final String SK = "sk";
  private static final String BODY = "body";
  private static final String PARTITION_SUFFIX = "#runs";
  private static final String SHARD_PREFIX = "open#";

  private final DynamoDbClient dynamo;
  private final String table;
  private final Duration retention;
  private final InstantSource clock;

  public DynamoReadModels(
      DynamoDbClient dynamo, String table, Duration retention, InstantSource clock) {
    this.dynamo = dynamo;
    this.table = table;
    this.retention = retention;
    this.clock = clock;
  }

  @Override
  public Optional<RunState.Existing> snapshot(RunKey run) {
    GetItemRequest request =
        GetItemRequest.builder()
            .tableName(table)
            .key(Map.of(PK, partition(run.tenant()), SK, Attributes.text(run.runId())))
            .projectionExpression(BODY)
            .build();
    Map<String, AttributeValue> item =
        ServiceCall.answer("snapshot", () -> dynamo.getItem(request)).item();
    return item.isEmpty() ? Optional.empty() : Optional.of(state(item));
  }

  @Override
  public boolean save(RunState.Existing run) {
    PutItemRequest request =
        PutItemRequest.builder()
            .tableName(table)
            .item(item(run))
            .conditionExpression("attribute_not_exists(pk) OR seq < :seq")
            .expressionAttributeValues(Map.of(":seq", Attributes.number(run.sequence())))
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
  public RunPage list(String tenant, RunFilter filter, int limit, Optional<String> after) {
    if (limit < 1 || limit > LIST_MAX) {
      throw new IllegalArgumentException("a list has 1 to " + LIST_MAX + " runs");
    }
    RunsQuery query = new RunsQuery(tenant, filter, after);
    List<RunState.Existing> found = new ArrayList<>();
    Map<String, AttributeValue> from = Map.of();
    for (int reads = 0; reads < LIST_READS_MAX; reads++) {
      int looks = query.filtered() ? LIST_LOOKS : limit + 1 - found.size();
      QueryRequest request = query.page(looks, from);
      QueryResponse page = ServiceCall.answer("list", () -> dynamo.query(request));
      for (Map<String, AttributeValue> item : page.items()) {
        if (found.size() == limit) {
          return new RunPage(found, Optional.of(found.getLast().facts().run().runId()));
        }
        found.add(state(item));
      }
      from = page.lastEvaluatedKey();
      if (from.isEmpty()) {
        return new RunPage(found, Optional.empty());
      }
    }
    return new RunPage(found, Optional.of(Attributes.textOf(from, SK)));
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
              .expressionAttributeNames(Map.of("#open", "open"))
              .expressionAttributeValues(
                  Map.of(":shard", shard(shard), ":now", Attributes.number(now.toEpochMilli())))
              .limit(limit - runs.size());
      if (!from.isEmpty()) {
        request.exclusiveStartKey(from);
      }
      QueryResponse page = ServiceCall.answer("due", () -> dynamo.query(request.build()));
      page.items().forEach(item -> runs.add(key(item)));
      from = page.lastEvaluatedKey();
    } while (!from.isEmpty() && runs.size() < limit);
    return runs;
  }

  private Map<String, AttributeValue> item(RunState.Existing run) {
    RunKey key = run.facts().run();
    Map<String, AttributeValue> item = new HashMap<>();
    item.put(PK, partition(key.tenant()));
    item.put(SK, Attributes.text(key.runId()));
    item.put("seq", Attributes.number(run.sequence()));
    item.put(BODY, Attributes.text(SnapshotCodec.encode(run)));
    item.put("status", Attributes.text(run.status().wire()));
    item.put("agent", Attributes.text(run.facts().request().agent()));
    item.put("session", Attributes.text(run.facts().request().sessionId()));
    item.put("expires", Attributes.expiry(clock, retention));
    run.dueAt()
        .ifPresent(
            due -> {
              item.put("open", shard(ReadModels.shardOf(key)));
              item.put("due", Attributes.number(due.toEpochMilli()));
            });
    return item;
  }

  private static RunState.Existing state(Map<String, AttributeValue> item) {
    return SnapshotCodec.decode(Attributes.textOf(item, BODY));
  }

  private static RunKey key(Map<String, AttributeValue> item) {
    String partition = Attributes.textOf(item, PK);
    return new RunKey(
        partition.substring(0, partition.length() - PARTITION_SUFFIX.length()),
        Attributes.textOf(item, SK));
  }

  private static AttributeValue partition(String tenant) {
    return Attributes.text(tenant + PARTITION_SUFFIX);
  }

  private static AttributeValue shard(int shard) {
    return Attributes.text(SHARD_PREFIX + shard);
  }

  /// The query of one list call.
  private final class RunsQuery {
    private final Map<String, String> names = new HashMap<>();
    private final Map<String, AttributeValue> values = new HashMap<>();
    private final List<String> filters = new ArrayList<>();
    private final String keys;
    private final boolean consistent;

    RunsQuery(String tenant, RunFilter filter, Optional<String> after) {
      consistent = filter.sessionId() != null;
      values.put(":p", partition(tenant));
      after.ifPresent(id -> values.put(":after", Attributes.text(id)));
      keys = after.isEmpty() ? "pk = :p" : "pk = :p AND sk < :after";
      Optional.ofNullable(filter.status()).ifPresent(value -> equal("status", value));
      Optional.ofNullable(filter.agent()).ifPresent(value -> equal("agent", value));
      Optional.ofNullable(filter.sessionId()).ifPresent(value -> equal("session", value));
    }

    private void equal(String name, String value) {
      names.put("#" + name, name);
      values.put(":" + name, Attributes.text(value));
      filters.add("#%s = :%s".formatted(name, name));
    }

    boolean filtered() {
      return !filters.isEmpty();
    }

    QueryRequest page(int looks, Map<String, AttributeValue> from) {
      QueryRequest.Builder request =
          QueryRequest.builder()
              .tableName(table)
              .keyConditionExpression(keys)
              .expressionAttributeValues(values)
              .scanIndexForward(false)
              .consistentRead(consistent)
              .limit(looks);
      if (filtered()) {
        request.filterExpression(String.join(" AND ", filters)).expressionAttributeNames(names);
      }
      if (!from.isEmpty()) {
        request.exclusiveStartKey(from);
      }
      return request.build();
    }
  }
}
