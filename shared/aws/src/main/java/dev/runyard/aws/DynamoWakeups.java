package dev.runyard.aws;

import dev.runyard.core.wakeup.Wakeups;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;

/// Wake-ups as one item per runner in the views table, `wakeup#<runner>`. A look is an eventually
/// consistent read of it, which costs half a read unit whether the item is there or not.
public final class DynamoWakeups implements Wakeups {
  private static final String PREFIX = "wakeup#";
  private static final String MARK = "mark";

  /// A runner that was woken has looked long before.
  private static final Duration KEPT = Duration.ofDays(1);

  private final DynamoDbClient dynamo;
  private final String table;
  private final InstantSource clock;

  public DynamoWakeups(DynamoDbClient dynamo, String table, InstantSource clock) {
    this.dynamo = dynamo;
    this.table = table;
    this.clock = clock;
  }

  @Override
  public void send(String runner, String mark) {
    PutItemRequest request =
        PutItemRequest.builder()
            .tableName(table)
            .item(
                Map.of(
                    RunItems.PK,
                    partition(runner),
                    RunItems.SK,
                    RunItems.ONLY,
                    MARK,
                    Attributes.text(mark),
                    Attributes.EXPIRES,
                    Attributes.expiry(clock, KEPT)))
            .build();
    ServiceCall.answer("wake", () -> dynamo.putItem(request));
  }

  @Override
  public Optional<String> last(String runner) {
    GetItemRequest request =
        GetItemRequest.builder()
            .tableName(table)
            .key(Map.of(RunItems.PK, partition(runner), RunItems.SK, RunItems.ONLY))
            .build();
    Map<String, AttributeValue> item =
        ServiceCall.answer("look for a wake-up", () -> dynamo.getItem(request)).item();
    return Optional.ofNullable(item.get(MARK)).map(AttributeValue::s);
  }

  private static AttributeValue partition(String runner) {
    return Attributes.text(PREFIX + runner);
  }
}
