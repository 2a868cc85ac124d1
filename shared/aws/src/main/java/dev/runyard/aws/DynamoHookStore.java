package dev.runyard.aws;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.hook.Hook;
import dev.runyard.core.hook.HookId;
import dev.runyard.core.hook.HookStore;
import dev.runyard.core.json.JsonFormat;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;

/// Hooks as items of the views table, one partition per tenant. Reads are strongly consistent, a
/// write is one put on the condition that the version before it is there.
public final class DynamoHookStore implements HookStore {
  private static final String BODY = "body";
  private static final String CREATED = "createdAt";
  private static final String UPDATED = "updatedAt";

  private final DynamoDbClient dynamo;
  private final String table;

  public DynamoHookStore(DynamoDbClient dynamo, String table) {
    this.dynamo = dynamo;
    this.table = table;
  }

  @Override
  public Optional<Hook> find(HookId id) {
    GetItemRequest request =
        GetItemRequest.builder().tableName(table).key(key(id)).consistentRead(true).build();
    return Optional.of(ServiceCall.answer("find a hook", () -> dynamo.getItem(request)).item())
        .filter(item -> !item.isEmpty())
        .map(item -> hook(id.tenant(), item));
  }

  @Override
  public List<Hook> list(String tenant) {
    QueryRequest request =
        QueryRequest.builder()
            .tableName(table)
            .keyConditionExpression("pk = :pk")
            .expressionAttributeValues(Map.of(":pk", Attributes.text(partition(tenant))))
            .consistentRead(true)
            .build();
    return ServiceCall.answer(
        "list hooks",
        () ->
            dynamo.queryPaginator(request).items().stream()
                .limit(LISTED_MAX)
                .map(item -> hook(tenant, item))
                .toList());
  }

  @Override
  public boolean write(Hook hook) {
    Map<String, AttributeValue> item =
        Map.of(
            "pk",
            Attributes.text(partition(hook.id().tenant())),
            "sk",
            Attributes.text(hook.id().token()),
            BODY,
            Attributes.text(hook.definition().toString()),
            CREATED,
            Attributes.number(hook.createdAt().toEpochMilli()),
            UPDATED,
            Attributes.number(hook.updatedAt().toEpochMilli()));
    return new VersionedPut(dynamo, table).put("write a hook", item, hook.version() - 1);
  }

  @Override
  public boolean delete(HookId id) {
    DeleteItemRequest request =
        DeleteItemRequest.builder()
            .tableName(table)
            .key(key(id))
            .returnValues(ReturnValue.ALL_OLD)
            .build();
    return !ServiceCall.answer("delete a hook", () -> dynamo.deleteItem(request))
        .attributes()
        .isEmpty();
  }

  private static Map<String, AttributeValue> key(HookId id) {
    return Map.of("pk", Attributes.text(partition(id.tenant())), "sk", Attributes.text(id.token()));
  }

  private static String partition(String tenant) {
    return tenant + "#hooks";
  }

  private static Hook hook(String tenant, Map<String, AttributeValue> item) {
    try {
      return new Hook(
          new HookId(tenant, Attributes.textOf(item, "sk")),
          Attributes.numberOf(item, VersionedPut.VERSION),
          (ObjectNode) JsonFormat.JSON.readTree(Attributes.textOf(item, BODY)),
          Instant.ofEpochMilli(Attributes.numberOf(item, CREATED)),
          Instant.ofEpochMilli(Attributes.numberOf(item, UPDATED)));
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }
}
