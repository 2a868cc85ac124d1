package dev.runyard.aws;

import dev.runyard.core.quota.TenantUse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/// One change of the item of what a tenant uses, in one call.
final class UseUpdate {
  private static final String RUNS = ":ids";

  private final AttributeValue runs;
  private final Map<String, String> names = new HashMap<>();
  private final Map<String, AttributeValue> values = new HashMap<>();
  private final List<String> conditions = new ArrayList<>();
  private final Map<String, List<String>> actions = new HashMap<>();

  /// What stood in the way.
  record Refused(TenantUse there) {}

  /// @param runId of the run that is put in sets and looked for there
  UseUpdate(String runId, AttributeValue expires) {
    this.runs = UseItem.set(runId);
    set(Attributes.EXPIRES, expires);
  }

  UseUpdate set(String name, AttributeValue value) {
    return act("SET", "%s = %s".formatted(named(name), valued(name, value)));
  }

  /// Adds the run to a set.
  UseUpdate join(String name) {
    values.put(RUNS, runs);
    return act("ADD", named(name) + " " + RUNS);
  }

  /// Takes the run from a set.
  UseUpdate leave(String name) {
    values.put(RUNS, runs);
    return act("DELETE", named(name) + " " + RUNS);
  }

  UseUpdate add(String name, long more) {
    return act("ADD", "%s %s".formatted(named(name), valued(name, Attributes.number(more))));
  }

  /// On the condition that the run is in the set.
  UseUpdate where(String name, String runId) {
    conditions.add(contains(name, runId));
    return this;
  }

  /// On the condition that the run is in the set, or the set has less than `most`.
  UseUpdate whereRoom(String name, String runId, long most) {
    String size = valued("most_" + name, Attributes.number(most));
    conditions.add(
        "(%1$s OR attribute_not_exists(%2$s) OR size(%2$s) < %3$s)"
            .formatted(contains(name, runId), named(name), size));
    return this;
  }

  /// On the condition that a number is lower, or not there.
  UseUpdate whereBefore(String name, long value) {
    conditions.add(
        "(attribute_not_exists(%1$s) OR %1$s < %2$s)".formatted(named(name), of(name, value)));
    return this;
  }

  UseUpdate whereFrom(String name, long value) {
    conditions.add("%s >= %s".formatted(named(name), of(name, value)));
    return this;
  }

  /// On the condition that the day is over or has used less.
  UseUpdate whereLeft(long today, long tokens, long microdollars) {
    String over =
        "attribute_not_exists(%1$s) OR %1$s < %2$s"
            .formatted(named(UseItem.DAY), of(UseItem.DAY, today));
    conditions.add(
        "(%s OR (%s < %s AND %s < %s))"
            .formatted(
                over,
                named(UseItem.TOKENS),
                of(UseItem.TOKENS, tokens),
                named(UseItem.COST),
                of(UseItem.COST, microdollars)));
    return this;
  }

  /// Makes the change; if a condition does not hold, what is there instead.
  Optional<Refused> apply(DynamoDbClient dynamo, String table, String tenant) {
    StringBuilder expression = new StringBuilder();
    actions.forEach(
        (verb, all) ->
            expression.append(verb).append(' ').append(String.join(", ", all)).append(' '));
    UpdateItemRequest.Builder request =
        UpdateItemRequest.builder()
            .tableName(table)
            .key(UseItem.key(tenant))
            .updateExpression(expression.toString().strip())
            .expressionAttributeNames(names)
            .expressionAttributeValues(values)
            .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD);
    if (!conditions.isEmpty()) {
      request.conditionExpression(String.join(" AND ", conditions));
    }
    return ServiceCall.answer(
        "count",
        () -> {
          try {
            dynamo.updateItem(request.build());
            return Optional.empty();
          } catch (ConditionalCheckFailedException e) {
            return Optional.of(new Refused(e.hasItem() ? UseItem.use(e.item()) : TenantUse.NONE));
          }
        });
  }

  private String contains(String name, String runId) {
    values.put(":run", UseItem.bytes(runId));
    return "contains(%s, :run)".formatted(named(name));
  }

  private String of(String name, long value) {
    return valued("than_" + name, Attributes.number(value));
  }

  private UseUpdate act(String verb, String what) {
    actions.computeIfAbsent(verb, _ -> new ArrayList<>()).add(what);
    return this;
  }

  private String named(String name) {
    names.put("#" + name, name);
    return "#" + name;
  }

  private String valued(String name, AttributeValue value) {
    values.put(":" + name, value);
    return ":" + name;
  }
}
