package dev.runyard.aws;

import dev.runyard.core.webhook.Deliveries;
import dev.runyard.core.webhook.Delivery;
import dev.runyard.core.webhook.DeliveryKey;
import dev.runyard.core.webhook.WebhookCodec;
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
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;

/// Deliveries as items of the views table, one partition per webhook: `<tenant>#deliveries#<id>`.
/// Those that wait are in the index of what is due, in shards of their own.
public final class DynamoDeliveries implements Deliveries {
  private static final String PARTITION = "#deliveries#";

  private final DynamoDbClient dynamo;
  private final String table;
  private final Duration retention;
  private final InstantSource clock;

  public DynamoDeliveries(
      DynamoDbClient dynamo, String table, Duration retention, InstantSource clock) {
    this.dynamo = dynamo;
    this.table = table;
    this.retention = retention;
    this.clock = clock;
  }

  @Override
  public boolean add(Delivery delivery) {
    return put(delivery, 0);
  }

  @Override
  public Optional<Delivery> find(DeliveryKey key) {
    GetItemRequest request =
        GetItemRequest.builder().tableName(table).key(key(key)).consistentRead(true).build();
    Map<String, AttributeValue> item =
        ServiceCall.answer("delivery", () -> dynamo.getItem(request)).item();
    return item.isEmpty() ? Optional.empty() : Optional.of(delivery(item));
  }

  @Override
  public boolean update(Delivery next) {
    return next.version() > 0 && put(next, next.version());
  }

  private boolean put(Delivery delivery, long read) {
    return new VersionedPut(dynamo, table).put("keep a delivery", item(delivery.stored()), read);
  }

  @Override
  public List<Delivery> list(String tenant, String webhookId, int limit, Optional<String> after) {
    List<Delivery> found = new ArrayList<>();
    Map<String, AttributeValue> from =
        after.map(id -> key(new DeliveryKey(tenant, webhookId, id))).orElse(Map.of());
    do {
      QueryRequest.Builder request =
          QueryRequest.builder()
              .tableName(table)
              .keyConditionExpression("pk = :pk")
              .expressionAttributeValues(Map.of(":pk", partition(tenant, webhookId)))
              .scanIndexForward(false)
              .limit(limit - found.size());
      if (!from.isEmpty()) {
        request.exclusiveStartKey(from);
      }
      QueryResponse page = ServiceCall.answer("deliveries", () -> dynamo.query(request.build()));
      page.items().forEach(item -> found.add(delivery(item)));
      from = page.lastEvaluatedKey();
    } while (!from.isEmpty() && found.size() < limit);
    return found;
  }

  @Override
  public List<DeliveryKey> due(int shard, Instant now, int limit) {
    List<DeliveryKey> found = new ArrayList<>();
    Map<String, AttributeValue> from = Map.of();
    do {
      QueryRequest.Builder request =
          QueryRequest.builder()
              .tableName(table)
              .indexName(DynamoReadModels.DUE_INDEX)
              .keyConditionExpression("#open = :shard AND due <= :now")
              .expressionAttributeNames(Map.of("#open", RunItems.OPEN))
              .expressionAttributeValues(
                  Map.of(":shard", shard(shard), ":now", Attributes.number(now.toEpochMilli())))
              .limit(limit - found.size());
      if (!from.isEmpty()) {
        request.exclusiveStartKey(from);
      }
      QueryResponse page =
          ServiceCall.answer("due deliveries", () -> dynamo.query(request.build()));
      page.items().forEach(item -> found.add(key(item)));
      from = page.lastEvaluatedKey();
    } while (!from.isEmpty() && found.size() < limit);
    return found;
  }

  private Map<String, AttributeValue> item(Delivery delivery) {
    Map<String, AttributeValue> item = new HashMap<>(key(delivery.key()));
    item.put(RunItems.BODY, Attributes.text(WebhookCodec.encode(delivery)));
    item.put(Attributes.EXPIRES, Attributes.expiry(clock, retention));
    Instant due = delivery.dueAt();
    if (due != null) {
      item.put(RunItems.OPEN, shard(Deliveries.shardOf(delivery.key())));
      item.put(RunItems.DUE, Attributes.number(due.toEpochMilli()));
    }
    return item;
  }

  private static Delivery delivery(Map<String, AttributeValue> item) {
    return WebhookCodec.delivery(Attributes.textOf(item, RunItems.BODY));
  }

  private static Map<String, AttributeValue> key(DeliveryKey key) {
    return Map.of(
        RunItems.PK,
        partition(key.tenant(), key.webhookId()),
        RunItems.SK,
        Attributes.text(key.id()));
  }

  private static DeliveryKey key(Map<String, AttributeValue> item) {
    String partition = Attributes.textOf(item, RunItems.PK);
    int at = partition.indexOf(PARTITION);
    return new DeliveryKey(
        partition.substring(0, at),
        partition.substring(at + PARTITION.length()),
        Attributes.textOf(item, RunItems.SK));
  }

  private static AttributeValue partition(String tenant, String webhookId) {
    return Attributes.text(tenant + PARTITION + webhookId);
  }

  private static AttributeValue shard(int shard) {
    return Attributes.text("deliver#" + shard);
  }
}
