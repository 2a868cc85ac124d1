package dev.runyard.aws;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.projection.ReadModels;
import dev.runyard.core.projection.RunFilter;
import dev.runyard.core.projection.RunPage;
import dev.runyard.core.run.RunState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;

/// The lists of runs: each tenant's in [ReadModels#LIST_SHARDS] partitions,
/// `<tenant>#runs#<shard>`, which are read in parallel and merged by run id, so by age. A run id is
/// the whole cursor: every partition continues after it.
final class RunLists {
  /// Most pages one list call reads, so that a filter that matches little does not use up the
  /// budget.
  private static final int READS_MAX = 20;

  /// Of two rows of one run the newer one is shown.
  private static final Comparator<ListShard> NEWEST =
      Comparator.comparing(ListShard::newest).thenComparingLong(ListShard::sequence);

  private final DynamoDbClient dynamo;
  private final String table;

  RunLists(DynamoDbClient dynamo, String table) {
    this.dynamo = dynamo;
    this.table = table;
  }

  /// Writes the run's rows, that of its session and that of its tenant's list, unless newer ones
  /// are stored.
  void save(RunState.Existing run, AttributeValue expires) {
    RunItems.sessionRow(run, expires).ifPresent(row -> save(row, run.sequence()));
    save(RunItems.row(run, expires), run.sequence());
  }

  private void save(Map<String, AttributeValue> row, long sequence) {
    PutItemRequest request =
        PutItemRequest.builder()
            .tableName(table)
            .item(row)
            .conditionExpression("attribute_not_exists(pk) OR seq < :seq")
            .expressionAttributeValues(Map.of(":seq", Attributes.number(sequence)))
            .build();
    ServiceCall.answer(
        "list",
        () -> {
          try {
            return dynamo.putItem(request);
          } catch (ConditionalCheckFailedException e) {
            return e;
          }
        });
  }

  RunPage page(String tenant, RunFilter filter, int limit, Optional<String> after) {
    String session = filter.sessionId();
    List<ListShard> shards = new ArrayList<>();
    if (session != null) {
      shards.add(
          new ListShard(
              dynamo,
              table,
              RunItems.sessionPartition(tenant, session),
              ListShard.Look.ofSession(filter, limit),
              after));
      if (RunKey.isRunId(session) && after.filter(id -> id.compareTo(session) <= 0).isEmpty()) {
        RunKey own = new RunKey(tenant, session);
        shards.add(
            shard(RunItems.listPartition(tenant, ReadModels.listShardOf(own)), filter, limit, after)
                .only(session));
        shards.add(shard(RunItems.onePartition(tenant), filter, limit, after).only(session));
      }
      if (indexed(tenant, session)) {
        return merged(shards, limit);
      }
    }
    for (int shard = 0; shard < ReadModels.LIST_SHARDS; shard++) {
      shards.add(shard(RunItems.listPartition(tenant, shard), filter, limit, after));
    }
    shards.add(shard(RunItems.onePartition(tenant), filter, limit, after));
    return merged(shards, limit);
  }

  /// True when each run of the session has its row, or has the session's id. Only sessions of
  /// earlier releases have an order of turns here.
  private boolean indexed(String tenant, String session) {
    GetItemRequest request =
        GetItemRequest.builder()
            .tableName(table)
            .key(
                Map.of(
                    RunItems.PK,
                    RunItems.sessionPartition(tenant, session),
                    RunItems.SK,
                    RunItems.ONLY))
            .consistentRead(true)
            .build();
    Map<String, AttributeValue> order =
        ServiceCall.answer("turns", () -> dynamo.getItem(request)).item();
    return order.isEmpty() || order.containsKey(RunItems.INDEXED);
  }

  private ListShard shard(
      AttributeValue partition, RunFilter filter, int limit, Optional<String> after) {
    return new ListShard(dynamo, table, partition, ListShard.Look.among(filter, limit), after);
  }

  /// The newest rows of all shards. A row is certain once every shard was read down to it; when the
  /// budget is used up, the page ends at the position of the shard that was read least.
  private static RunPage merged(List<ListShard> shards, int limit) {
    List<RunState.Existing> found = new ArrayList<>();
    String last = "";
    int reads = 0;
    while (true) {
      Optional<ListShard> least =
          shards.stream().filter(ListShard::unknown).max(Comparator.comparing(ListShard::position));
      Optional<ListShard> newest = shards.stream().filter(ListShard::hasRow).max(NEWEST);
      boolean certain =
          newest.isPresent()
              && (least.isEmpty() || least.get().position().compareTo(newest.get().newest()) <= 0);
      if (certain) {
        String id = newest.get().newest();
        if (found.size() == limit && !id.equals(last)) {
          return new RunPage(found, Optional.of(last));
        }
        RunState.Existing run = newest.get().take();
        if (!id.equals(last)) {
          found.add(run);
        }
        last = id;
      } else if (least.isEmpty()) {
        return new RunPage(found, Optional.empty());
      } else if (reads == READS_MAX) {
        return new RunPage(found, Optional.of(least.get().position()));
      } else {
        least.get().read();
        reads++;
      }
    }
  }
}
