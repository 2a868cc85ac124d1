package dev.runyard.aws;

import dev.runyard.core.fleet.Fleet;
import dev.runyard.core.fleet.Slot;
import dev.runyard.core.fleet.Slots;
import dev.runyard.core.fleet.StartFailure;
import dev.runyard.core.fleet.StartTrouble;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;

/// The slots as items of one partition of the views table: a read is one strongly consistent query,
/// a write one put on the condition that the stored version is the previous one. They are never
/// removed.
public final class DynamoSlots implements Slots {
  /// The partition of the stack's fleet. Roles may be limited to it.
  public static final String PARTITION = "fleet";

  private static final String SLOT = "slot-";
  private static final String STARTS = "starts";
  private static final String PK = "pk";
  private static final String SK = "sk";
  private static final String VERSION = "version";
  private static final String CLAIM = "claim";
  private static final String CLAIMED_AT = "claimedAt";
  private static final String TASK = "task";
  private static final String RUNNER = "runner";
  private static final String RENEWED_AT = "renewedAt";
  private static final String TAKING = "taking";
  private static final String UNQUEUED = "unqueued";
  private static final String FINISHING = "finishing";
  private static final String CAUSE = "cause";
  private static final String SINCE = "since";
  private static final String AT = "at";
  private static final String BROKEN_SINCE = "brokenSince";

  private final DynamoDbClient dynamo;
  private final String table;
  private final String partition;

  public DynamoSlots(DynamoDbClient dynamo, String table) {
    this(dynamo, table, PARTITION);
  }

  DynamoSlots(DynamoDbClient dynamo, String table, String partition) {
    this.dynamo = dynamo;
    this.table = table;
    this.partition = partition;
  }

  @Override
  public Fleet read() {
    List<Slot> slots = new ArrayList<>();
    StartTrouble trouble = StartTrouble.NONE;
    Map<String, AttributeValue> from = Map.of();
    do {
      QueryRequest.Builder request =
          QueryRequest.builder()
              .tableName(table)
              .consistentRead(true)
              .keyConditionExpression("pk = :p")
              .expressionAttributeValues(Map.of(":p", Attributes.text(partition)));
      if (!from.isEmpty()) {
        request.exclusiveStartKey(from);
      }
      QueryResponse page = ServiceCall.answer("read slots", () -> dynamo.query(request.build()));
      for (Map<String, AttributeValue> item : page.items()) {
        if (Attributes.textOf(item, SK).equals(STARTS)) {
          trouble = trouble(item);
        } else {
          slots.add(slot(item));
        }
      }
      from = page.lastEvaluatedKey();
    } while (!from.isEmpty());
    return new Fleet(slots, trouble);
  }

  @Override
  public boolean write(Slot slot) {
    Map<String, AttributeValue> item =
        item("%s%03d".formatted(SLOT, slot.number()), slot.version());
    switch (slot) {
      case Slot.Free _ -> {}
      case Slot.Claimed claimed -> claim(item, claimed.claim());
      case Slot.Held held -> {
        claim(item, held.claim());
        item.put(RUNNER, Attributes.text(held.runner()));
        item.put(RENEWED_AT, time(held.renewedAt()));
        item.put(TAKING, AttributeValue.fromBool(held.taking()));
        runs(item, UNQUEUED, held.unqueued());
        runs(item, FINISHING, held.finishing());
      }
    }
    return put(item, slot.version());
  }

  @Override
  public boolean write(StartTrouble trouble) {
    Map<String, AttributeValue> item = item(STARTS, trouble.version());
    item.put(SINCE, time(trouble.since()));
    item.put(AT, time(trouble.at()));
    StartFailure.Cause cause = trouble.cause();
    if (cause != null) {
      item.put(CAUSE, Attributes.text(cause.wire()));
    }
    Instant broken = trouble.brokenSince();
    if (broken != null) {
      item.put(BROKEN_SINCE, time(broken));
    }
    return put(item, trouble.version());
  }

  private boolean put(Map<String, AttributeValue> item, long version) {
    PutItemRequest.Builder request =
        PutItemRequest.builder()
            .tableName(table)
            .item(item)
            .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD);
    if (version == 1) {
      request.conditionExpression("attribute_not_exists(pk)");
    } else {
      request
          .conditionExpression("version = :before")
          .expressionAttributeValues(Map.of(":before", Attributes.number(version - 1)));
    }
    return ServiceCall.answer(
        "write a slot",
        () -> {
          try {
            dynamo.putItem(request.build());
            return true;
          } catch (ConditionalCheckFailedException e) {
            return item.equals(e.item());
          }
        });
  }

  private Map<String, AttributeValue> item(String name, long version) {
    Map<String, AttributeValue> item = new HashMap<>();
    item.put(PK, Attributes.text(partition));
    item.put(SK, Attributes.text(name));
    item.put(VERSION, Attributes.number(version));
    return item;
  }

  private static void claim(Map<String, AttributeValue> item, Slot.Claim claim) {
    item.put(CLAIM, Attributes.text(claim.token()));
    item.put(CLAIMED_AT, time(claim.at()));
    claim.task().ifPresent(task -> item.put(TASK, Attributes.text(task)));
  }

  /// Absent where there are none.
  private static void runs(Map<String, AttributeValue> item, String name, int runs) {
    if (runs > 0) {
      item.put(name, Attributes.number(runs));
    }
  }

  private static int runs(Map<String, AttributeValue> item, String name) {
    return item.containsKey(name) ? Integer.parseInt(Attributes.of(item, name).n()) : 0;
  }

  private static Slot slot(Map<String, AttributeValue> item) {
    int number = Integer.parseInt(Attributes.textOf(item, SK).substring(SLOT.length()));
    long version = Long.parseLong(Attributes.of(item, VERSION).n());
    if (!item.containsKey(CLAIM)) {
      return new Slot.Free(number, version);
    }
    Slot.Claim claim =
        new Slot.Claim(
            Attributes.textOf(item, CLAIM),
            instant(item, CLAIMED_AT),
            Optional.ofNullable(item.get(TASK)).map(AttributeValue::s));
    return item.containsKey(RUNNER)
        ? new Slot.Held(
            number,
            version,
            claim,
            Attributes.textOf(item, RUNNER),
            instant(item, RENEWED_AT),
            Attributes.of(item, TAKING).bool(),
            runs(item, UNQUEUED),
            runs(item, FINISHING))
        : new Slot.Claimed(number, version, claim);
  }

  private static StartTrouble trouble(Map<String, AttributeValue> item) {
    return new StartTrouble(
        Long.parseLong(Attributes.of(item, VERSION).n()),
        item.containsKey(CAUSE) ? StartFailure.Cause.of(Attributes.textOf(item, CAUSE)) : null,
        instant(item, SINCE),
        instant(item, AT),
        item.containsKey(BROKEN_SINCE) ? instant(item, BROKEN_SINCE) : null);
  }

  private static AttributeValue time(Instant at) {
    return Attributes.number(at.toEpochMilli());
  }

  private static Instant instant(Map<String, AttributeValue> item, String name) {
    return Instant.ofEpochMilli(Long.parseLong(Attributes.of(item, name).n()));
  }
}
