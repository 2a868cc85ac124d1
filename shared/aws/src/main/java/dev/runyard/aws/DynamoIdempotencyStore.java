package dev.runyard.aws;

import dev.runyard.core.ids.Digest;
import dev.runyard.core.submit.IdempotencyStore;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;

/// Idempotency keys as items of the views table, one partition per key: binding is one conditional
/// put, and if it fails, the existing item says which run has the key. The key itself belongs to
/// the caller and is stored only as a digest.
public final class DynamoIdempotencyStore implements IdempotencyStore {
  private static final String RUN = "run";
  private static final String EXPIRES_AT = "expiresAt";
  private static final String FINGERPRINT = "fingerprint";
  private final DynamoDbClient dynamo;
  private final String table;

  public DynamoIdempotencyStore(DynamoDbClient dynamo, String table) {
    this.dynamo = dynamo;
    this.table = table;
  }

  @Override
  public Binding bind(Claim claim) {
    PutItemRequest request =
        PutItemRequest.builder()
            .tableName(table)
            .item(item(claim))
            .conditionExpression("attribute_not_exists(pk) OR expiresAt <= :now")
            .expressionAttributeValues(
                Map.of(":now", Attributes.number(claim.now().toEpochMilli())))
            .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
            .build();
    return ServiceCall.answer(
        "bind",
        () -> {
          try {
            dynamo.putItem(request);
            return new Binding.Fresh();
          } catch (ConditionalCheckFailedException e) {
            return Attributes.textOf(e.item(), FINGERPRINT).equals(claim.fingerprint())
                ? new Binding.Known(Attributes.textOf(e.item(), RUN))
                : new Binding.Mismatch();
          }
        });
  }

  @Override
  public Optional<String> find(String tenant, String key, Instant now) {
    GetItemRequest request =
        GetItemRequest.builder()
            .tableName(table)
            .key(key(tenant, key))
            .consistentRead(true)
            .build();
    Map<String, AttributeValue> item =
        ServiceCall.answer("find", () -> dynamo.getItem(request)).item();
    return item.isEmpty() || Attributes.numberOf(item, EXPIRES_AT) <= now.toEpochMilli()
        ? Optional.empty()
        : Optional.of(Attributes.textOf(item, RUN));
  }

  private static Map<String, AttributeValue> key(String tenant, String key) {
    return Map.of(
        "pk", Attributes.text(tenant + "#key#" + Digest.hex(key)), "sk", Attributes.text("-"));
  }

  private static Map<String, AttributeValue> item(Claim claim) {
    Map<String, AttributeValue> item = new HashMap<>(key(claim.tenant(), claim.key()));
    item.put(RUN, Attributes.text(claim.runId()));
    item.put(FINGERPRINT, Attributes.text(claim.fingerprint()));
    item.put(EXPIRES_AT, Attributes.number(claim.expiresAt().toEpochMilli()));
    item.put(Attributes.EXPIRES, Attributes.expiry(claim.expiresAt()));
    return item;
  }
}
