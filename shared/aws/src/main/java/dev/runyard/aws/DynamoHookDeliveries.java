package dev.runyard.aws;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.runyard.core.hook.HookDeliveries;
import dev.runyard.core.hook.HookDelivery;
import dev.runyard.core.hook.HookId;
import dev.runyard.core.hook.HookLimits;
import dev.runyard.core.json.JsonFormat;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/// Deliveries as items of the views table, one partition per hook, which expire. Those without
/// proof sort after all others and are few, so the end of a partition has the newest of both.
public final class DynamoHookDeliveries implements HookDeliveries {
  private static final String BODY = "body";
  private static final Duration KEPT = Duration.ofDays(HookLimits.DELIVERY_DAYS);

  private final DynamoDbClient dynamo;
  private final String table;

  public DynamoHookDeliveries(DynamoDbClient dynamo, String table) {
    this.dynamo = dynamo;
    this.table = table;
  }

  @Override
  public void add(HookDelivery delivery) {
    PutItemRequest request =
        PutItemRequest.builder()
            .tableName(table)
            .item(
                Map.of(
                    "pk",
                    Attributes.text(partition(delivery.hook())),
                    "sk",
                    Attributes.text(delivery.slot()),
                    BODY,
                    Attributes.text(delivery.json().toString()),
                    Attributes.EXPIRES,
                    Attributes.expiry(delivery.at().plus(KEPT))))
            .build();
    ServiceCall.answer("keep a delivery", () -> dynamo.putItem(request));
  }

  @Override
  public List<HookDelivery> newest(HookId hook, int limit) {
    QueryRequest request =
        QueryRequest.builder()
            .tableName(table)
            .keyConditionExpression("pk = :pk")
            .expressionAttributeValues(Map.of(":pk", Attributes.text(partition(hook))))
            .scanIndexForward(false)
            .limit(limit + HookLimits.UNPROVEN_KEPT)
            .build();
    return ServiceCall.answer("list deliveries", () -> dynamo.query(request)).items().stream()
        .map(item -> delivery(hook, item))
        .sorted(Comparator.comparing(HookDelivery::at).reversed())
        .limit(limit)
        .toList();
  }

  private static String partition(HookId hook) {
    return hook.tenant() + "#hook#" + hook.token();
  }

  private static HookDelivery delivery(HookId hook, Map<String, AttributeValue> item) {
    try {
      return HookDelivery.of(hook, JsonFormat.JSON.readTree(Attributes.textOf(item, BODY)));
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }
}
