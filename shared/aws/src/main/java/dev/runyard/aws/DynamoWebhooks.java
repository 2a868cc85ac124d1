package dev.runyard.aws;

import dev.runyard.core.webhook.WebhookCodec;
import dev.runyard.core.webhook.Webhooks;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;

/// A tenant's webhooks as one item of the views table, `<tenant>#webhooks`: a read is strongly
/// consistent, a write is one put on the condition that the version is still the one that was read.
public final class DynamoWebhooks implements Webhooks {
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
            Attributes.numberOf(item, VersionedPut.VERSION),
            WebhookCodec.webhooks(Attributes.textOf(item, RunItems.BODY)));
  }

  @Override
  public boolean write(String tenant, Registered next) {
    Map<String, AttributeValue> item =
        Map.of(
            RunItems.PK,
            partition(tenant),
            RunItems.SK,
            RunItems.ONLY,
            RunItems.BODY,
            Attributes.text(WebhookCodec.encode(next.webhooks())));
    return new VersionedPut(dynamo, table).put("keep webhooks", item, next.version());
  }

  private static AttributeValue partition(String tenant) {
    return Attributes.text(tenant + "#webhooks");
  }
}
