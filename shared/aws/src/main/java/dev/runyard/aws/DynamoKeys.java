package dev.runyard.aws;

import dev.runyard.core.access.AccessKey;
import dev.runyard.core.access.Keys;
import java.time.Instant;
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
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/// Keys as two items each in the views table: one that is found by the hash and opens,
/// `key#<hash>`, and one in its tenant's list. The one of the list is written first and revoked
/// last: what opens is always listed.
public final class DynamoKeys implements Keys {
  private final DynamoDbClient dynamo;
  private final String table;

  public DynamoKeys(DynamoDbClient dynamo, String table) {
    this.dynamo = dynamo;
    this.table = table;
  }

  @Override
  public void add(AccessKey key) {
    put(KeyItems.listed(key));
    put(KeyItems.opening(key));
  }

  private void put(Map<String, AttributeValue> item) {
    PutItemRequest request = PutItemRequest.builder().tableName(table).item(item).build();
    ServiceCall.answer("add a key", () -> dynamo.putItem(request));
  }

  @Override
  public Optional<AccessKey> find(String hash) {
    return get(KeyItems.opening(hash)).map(item -> KeyItems.key(hash, item));
  }

  private Optional<Map<String, AttributeValue>> get(Map<String, AttributeValue> at) {
    GetItemRequest request =
        GetItemRequest.builder().tableName(table).key(at).consistentRead(true).build();
    return Optional.of(ServiceCall.answer("find a key", () -> dynamo.getItem(request)).item())
        .filter(item -> !item.isEmpty());
  }

  @Override
  public List<AccessKey> list(String tenant) {
    List<AccessKey> keys = new ArrayList<>();
    Map<String, AttributeValue> from = Map.of();
    do {
      QueryRequest.Builder request =
          QueryRequest.builder()
              .tableName(table)
              .consistentRead(true)
              .limit(LISTED_MAX)
              .keyConditionExpression("pk = :p")
              .expressionAttributeValues(Map.of(":p", KeyItems.list(tenant)));
      if (!from.isEmpty()) {
        request.exclusiveStartKey(from);
      }
      QueryResponse page = ServiceCall.answer("list keys", () -> dynamo.query(request.build()));
      page.items().forEach(item -> keys.add(KeyItems.key(item)));
      from = page.lastEvaluatedKey();
    } while (!from.isEmpty() && keys.size() < LISTED_MAX);
    return keys.stream().sorted(AccessKey.OLDEST_FIRST).limit(LISTED_MAX).toList();
  }

  @Override
  public Optional<AccessKey> revoke(String tenant, String id, Instant at) {
    Map<String, AttributeValue> listed = KeyItems.listed(tenant, id);
    Optional<AccessKey> found = get(listed).map(KeyItems::key).map(key -> key.revokedAt(at));
    found.ifPresent(
        key -> {
          revoke(KeyItems.opening(key.hash()), key);
          revoke(listed, key);
        });
    return found;
  }

  private void revoke(Map<String, AttributeValue> at, AccessKey key) {
    Map<String, AttributeValue> values = new HashMap<>();
    values.put(":at", KeyItems.time(key.revoked().orElseThrow()));
    values.put(":end", Attributes.expiry(key.forgettable().orElseThrow()));
    update(
        UpdateItemRequest.builder()
            .tableName(table)
            .key(at)
            .conditionExpression("attribute_exists(pk)")
            .updateExpression("set revokedAt = if_not_exists(revokedAt, :at), expires = :end")
            .expressionAttributeValues(values)
            .build());
  }

  @Override
  public void used(AccessKey key, Instant at, Instant before) {
    update(
        UpdateItemRequest.builder()
            .tableName(table)
            .key(KeyItems.listed(key.tenant(), key.id()))
            .conditionExpression(
                "attribute_exists(pk) and (attribute_not_exists(usedAt) or usedAt <= :before)")
            .updateExpression("set usedAt = :at")
            .expressionAttributeValues(
                Map.of(":at", KeyItems.time(at), ":before", KeyItems.time(before)))
            .build());
  }

  /// Changes an item, unless there is nothing to change.
  private void update(UpdateItemRequest request) {
    ServiceCall.answer(
        "change a key",
        () -> {
          try {
            dynamo.updateItem(request);
            return true;
          } catch (ConditionalCheckFailedException _) {
            return false;
          }
        });
  }
}
