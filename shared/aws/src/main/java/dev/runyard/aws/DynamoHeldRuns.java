package dev.runyard.aws;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.quota.HeldRuns;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/// Held runs as items of one partition of the views table, sorted by tenant and run.
public final class DynamoHeldRuns implements HeldRuns {
  /// One partition, so that a right can name it.
  private static final AttributeValue PARTITION = Attributes.text("held");

  private static final String SEPARATOR = "#";

  /// Follows the separator, and stands before every sign that a tenant's name may go on with.
  private static final String PAST = "$";

  private final DynamoDbClient dynamo;
  private final String table;
  private final Duration retention;
  private final InstantSource clock;

  public DynamoHeldRuns(
      DynamoDbClient dynamo, String table, Duration retention, InstantSource clock) {
    this.dynamo = dynamo;
    this.table = table;
    this.retention = retention;
    this.clock = clock;
  }

  @Override
  public void add(RunKey run) {
    Map<String, AttributeValue> item =
        Map.of(
            "pk",
            PARTITION,
            "sk",
            name(run),
            Attributes.EXPIRES,
            Attributes.expiry(clock, retention));
    var _ =
        ServiceCall.answer("hold", () -> dynamo.putItem(put -> put.tableName(table).item(item)));
  }

  @Override
  public List<RunKey> first(String tenant, int most) {
    String prefix = tenant + SEPARATOR;
    QueryRequest request =
        QueryRequest.builder()
            .tableName(table)
            .consistentRead(true)
            .keyConditionExpression("pk = :p AND begins_with(sk, :t)")
            .expressionAttributeValues(Map.of(":p", PARTITION, ":t", Attributes.text(prefix)))
            .limit(most)
            .build();
    return ServiceCall.answer("held runs", () -> dynamo.query(request)).items().stream()
        .map(item -> new RunKey(tenant, Attributes.textOf(item, "sk").substring(prefix.length())))
        .toList();
  }

  @Override
  public void remove(RunKey run) {
    Map<String, AttributeValue> key = Map.of("pk", PARTITION, "sk", name(run));
    var _ =
        ServiceCall.answer(
            "let go", () -> dynamo.deleteItem(gone -> gone.tableName(table).key(key)));
  }

  @Override
  public Optional<String> nextTenant(String after) {
    QueryRequest request =
        QueryRequest.builder()
            .tableName(table)
            .consistentRead(true)
            .keyConditionExpression("pk = :p AND sk > :t")
            .expressionAttributeValues(Map.of(":p", PARTITION, ":t", Attributes.text(after + PAST)))
            .limit(1)
            .build();
    return ServiceCall.answer("tenants of held runs", () -> dynamo.query(request)).items().stream()
        .map(item -> Attributes.textOf(item, "sk"))
        .map(name -> name.substring(0, name.indexOf(SEPARATOR)))
        .findFirst();
  }

  private static AttributeValue name(RunKey run) {
    return Attributes.text(run.tenant() + SEPARATOR + run.runId());
  }
}
