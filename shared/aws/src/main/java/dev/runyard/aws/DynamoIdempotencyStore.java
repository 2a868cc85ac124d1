package dev.runyard.aws;

import dev.runyard.core.ids.Digest;
import dev.runyard.core.submit.IdempotencyStore;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;

/// Idempotency keys as items of the views table, one partition per key: binding is one conditional
/// put, and if it fails, the existing item says which run has the key. The key itself belongs to
/// the caller and is stored only as a digest.
public final class DynamoIdempotencyStore implements IdempotencyStore {
  private static final String RUN = "run";
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

  private static Map<String, AttributeValue> item(Claim claim) {
    String digest = Digest.hex(claim.key());
    return Map.of(
        "pk",
        Attributes.text(claim.tenant() + "#key#" + digest),
        "sk",
        Attributes.text("-"),
        RUN,
        Attributes.text(claim.runId()),
        FINGERPRINT,
        Attributes.text(claim.fingerprint()),
        "expiresAt",
        Attributes.number(claim.expiresAt().toEpochMilli()),
        Attributes.EXPIRES,
        Attributes.expiry(claim.expiresAt()));
  }
}
