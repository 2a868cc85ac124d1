package dev.runyard.aws;

import dev.runyard.core.webhook.WebhookCodec;
import dev.runyard.core.webhook.Webhooks;
import java.util.HashMap;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;

/// A tenant's webhooks as one item of the views table, `<tenant>#webhooks`: a read is strongly
/// consistent, a write is one put on the condition that the version is still the one that was read.
public final class DynamoWebhooks implements Webhooks {
  private static final String VERSION = "version";

  private final DynamoDbClient dynamo;
  private final String table;

  public DynamoWebhooks(DynamoDbClient dynamo, String table) {
    this.dynamo = dynamo;
    this.table = table;
  }

  @Override
  public Registered read(String tenant) {
    GetItemRequest request =
        GetItemRequest.builder()
            .tableName(table)
            .key(Map.of(RunItems.PK, partition(tenant), RunItems.SK, RunItems.ONLY))
            .consistentRead(true)
            .build();
    Map<String, AttributeValue> item =
        ServiceCall.answer("webhooks", () -> dynamo.getItem(request)).item();
    return item.isEmpty()
        ? Registered.NONE
        : new Registered(
            Attributes.numberOf(item, VERSION),
            WebhookCodec.webhooks(Attributes.textOf(item, RunItems.BODY)));
  }

  @Override
  public boolean write(String tenant, Registered next) {
    Map<String, AttributeValue> item = new HashMap<>();
    item.put(RunItems.PK, partition(tenant));
    item.put(RunItems.SK, RunItems.ONLY);
    item.put(VERSION, Attributes.number(next.version() + 1));
    item.put(RunItems.BODY, Attributes.text(WebhookCodec.encode(next.webhooks())));
    PutItemRequest.Builder request = PutItemRequest.builder().tableName(table).item(item);
    if (next.version() == 0) {
      request.conditionExpression("attribute_not_exists(pk)");
    } else {
      request
          .conditionExpression("version = :version")
          .expressionAttributeValues(Map.of(":version", Attributes.number(next.version())));
    }
    return ServiceCall.answer(
        "keep webhooks",
        () -> {
          try {
            dynamo.putItem(request.build());
            return true;
          } catch (ConditionalCheckFailedException _) {
            return false;
          }
        });
  }

  private static AttributeValue partition(String tenant) {
    return Attributes.text(tenant + "#webhooks");
  }
}
