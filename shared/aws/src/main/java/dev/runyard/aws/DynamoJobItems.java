package dev.runyard.aws;

import dev.runyard.core.job.ItemRow;
import dev.runyard.core.job.JobItems;
import dev.runyard.core.job.JobKey;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/// What is stored of items, in the partition of their job. Single items are read strongly
/// consistent: they were written just before.
final class DynamoJobItems implements JobItems {
  private static final String BODY = "body";
  private static final String REQUESTS = "in#";
  private static final String ROW = "item#%06d";

  private final DynamoDbClient dynamo;
  private final String table;
  private final Duration retention;
  private final InstantSource clock;

  DynamoJobItems(DynamoDbClient dynamo, String table, Duration retention, InstantSource clock) {
    this.dynamo = dynamo;
    this.table = table;
    this.retention = retention;
    this.clock = clock;
  }

  @Override
  public void put(JobKey job, String name, byte[] requests) {
    write(
        PutItemRequest.builder()
            .item(
                Map.of(
                    "pk",
                    Attributes.text(job.partition()),
                    "sk",
                    Attributes.text(REQUESTS + name),
                    BODY,
                    Attributes.bytes(requests),
                    Attributes.EXPIRES,
                    Attributes.expiry(clock, retention)))
            .conditionExpression("attribute_not_exists(pk)"));
  }

  @Override
  public Optional<byte[]> requests(JobKey job, String name) {
    return item(job, REQUESTS + name).map(item -> Attributes.of(item, BODY).b().asByteArray());
  }

  @Override
  public Optional<ItemRow> row(JobKey job, int item) {
    return item(job, ROW.formatted(item)).map(DynamoJobItems::row);
  }

  private Optional<Map<String, AttributeValue>> item(JobKey job, String sort) {
    GetItemRequest request =
        GetItemRequest.builder()
            .tableName(table)
            .consistentRead(true)
            .key(Map.of("pk", Attributes.text(job.partition()), "sk", Attributes.text(sort)))
            .build();
    return Optional.of(ServiceCall.answer("read of items", () -> dynamo.getItem(request)).item())
        .filter(found -> !found.isEmpty());
  }

  @Override
  public void save(JobKey job, List<ItemRow> rows) {
    for (ItemRow row : rows) {
      write(
          PutItemRequest.builder()
              .item(
                  Map.of(
                      "pk",
                      Attributes.text(job.partition()),
                      "sk",
                      Attributes.text(ROW.formatted(row.item())),
                      "seq",
                      Attributes.number(row.sequence()),
                      BODY,
                      Attributes.text(row.encode()),
                      Attributes.EXPIRES,
                      Attributes.expiry(clock, retention)))
              .conditionExpression("attribute_not_exists(pk) OR seq < :seq")
              .expressionAttributeValues(Map.of(":seq", Attributes.number(row.sequence()))));
    }
  }

  private void write(PutItemRequest.Builder request) {
    ServiceCall.answer(
        "write of items",
        () -> {
          try {
            dynamo.putItem(request.tableName(table).build());
            return true;
          } catch (ConditionalCheckFailedException _) {
            return false;
          }
        });
  }

  @Override
  public List<ItemRow> rows(JobKey job, int from, int limit) {
    QueryRequest request =
        QueryRequest.builder()
            .tableName(table)
            .keyConditionExpression("pk = :pk AND sk BETWEEN :from AND :end")
            .expressionAttributeValues(
                Map.of(
                    ":pk",
                    Attributes.text(job.partition()),
                    ":from",
                    Attributes.text(ROW.formatted(from)),
                    ":end",
                    Attributes.text("item#~")))
            .limit(limit)
            .build();
    return ServiceCall.answer(
        "rows",
        () ->
            dynamo.queryPaginator(request).items().stream()
                .limit(limit)
                .map(DynamoJobItems::row)
                .toList());
  }

  private static ItemRow row(Map<String, AttributeValue> item) {
    return ItemRow.decode(Attributes.textOf(item, BODY));
  }
}
