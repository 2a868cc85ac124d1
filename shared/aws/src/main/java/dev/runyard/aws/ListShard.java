package dev.runyard.aws;

import dev.runyard.core.projection.ReadModels;
import dev.runyard.core.projection.RunFilter;
import dev.runyard.core.run.RunState;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;

/// One partition of a list, read newest first and only as far as needed. Reads are eventually
/// consistent, except those of a session's runs, because one run is history for the next. Not
/// thread-safe.
final class ListShard {
  /// Sorts after every run id: nothing was read yet.
  private static final String TOP = "~";

  private final DynamoDbClient dynamo;
  private final String table;
  private final Map<String, String> names = new HashMap<>();
  private final Map<String, AttributeValue> values = new HashMap<>();
  private final List<String> filters = new ArrayList<>();
  private String keys;
  private final boolean consistent;
  private final int looks;
  private final Deque<Map<String, AttributeValue>> rows = new ArrayDeque<>();
  private Map<String, AttributeValue> from = Map.of();
  private String position = TOP;
  private boolean exhausted;

  ListShard(
      DynamoDbClient dynamo,
      String table,
      AttributeValue partition,
      Look look,
      Optional<String> after) {
    this.dynamo = dynamo;
    this.table = table;
    RunFilter filter = look.filter();
    consistent = look.consistent();
    looks = look.rows();
    values.put(":p", partition);
    after.ifPresent(id -> values.put(":after", Attributes.text(id)));
    keys = after.isEmpty() ? "pk = :p" : "pk = :p AND sk < :after";
    Optional.ofNullable(filter.status()).ifPresent(value -> equal("status", value));
    Optional.ofNullable(filter.agent()).ifPresent(value -> equal("agent", value));
    Optional.ofNullable(filter.sessionId()).ifPresent(value -> equal("session", value));
  }

  /// What is looked for in a partition.
  ///
  /// @param rows that one page reads
  record Look(RunFilter filter, boolean consistent, int rows) {
    /// Rows one page reads when a filter is set.
    private static final int FILTERED = 2 * ReadModels.LIST_MAX;

    /// Rows one page reads beyond an even share of the list, so that one page is usually enough.
    private static final int SPARE = 8;

    /// Rows of a session beyond a page: the order of its turns, and the run that says that there is
    /// a next page.
    private static final int BESIDE = 2;

    /// In one of the partitions of a tenant's list.
    static Look among(RunFilter filter, int limit) {
      return new Look(
          filter,
          filter.sessionId() != null,
          filter.equals(RunFilter.ALL) ? limit / (ReadModels.LIST_SHARDS - 1) + SPARE : FILTERED);
    }

    /// In the partition that has the runs of a session and no others.
    static Look ofSession(RunFilter filter, int limit) {
      RunFilter others = new RunFilter(filter.status(), filter.agent(), null);
      return new Look(others, true, others.equals(RunFilter.ALL) ? limit + BESIDE : FILTERED);
    }
  }

  private void equal(String name, String value) {
    names.put("#" + name, name);
    values.put(":" + name, Attributes.text(value));
    filters.add("#%s = :%s".formatted(name, name));
  }

  /// The same for one run of the partition.
  ListShard only(String runId) {
    values.remove(":after");
    values.put(":only", Attributes.text(runId));
    keys = "pk = :p AND sk = :only";
    return this;
  }

  /// True when there may be more, which only a read can show.
  boolean unknown() {
    return rows.isEmpty() && !exhausted;
  }

  /// The oldest run that was read.
  String position() {
    return position;
  }

  boolean hasRow() {
    return !rows.isEmpty();
  }

  /// The newest run that was read and not taken.
  String newest() {
    return Attributes.textOf(rows.getFirst(), RunItems.SK);
  }

  /// How far the log of that run was folded in its row.
  long sequence() {
    return Attributes.numberOf(rows.getFirst(), RunItems.SEQ);
  }

  RunState.Existing take() {
    return RunItems.state(rows.removeFirst());
  }

  /// Reads the next page.
  void read() {
    QueryRequest.Builder request =
        QueryRequest.builder()
            .tableName(table)
            .keyConditionExpression(keys)
            .expressionAttributeValues(values)
            .scanIndexForward(false)
            .consistentRead(consistent)
            .limit(looks);
    if (!filters.isEmpty()) {
      request.filterExpression(String.join(" AND ", filters)).expressionAttributeNames(names);
    }
    if (!from.isEmpty()) {
      request.exclusiveStartKey(from);
    }
    QueryResponse page = ServiceCall.answer("list", () -> dynamo.query(request.build()));
    page.items().stream().filter(RunItems::hasBody).forEach(rows::addLast);
    from = page.lastEvaluatedKey();
    exhausted = from.isEmpty();
    position = exhausted ? "" : Attributes.textOf(from, RunItems.SK);
  }
}
