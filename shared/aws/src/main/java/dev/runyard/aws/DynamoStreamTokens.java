package dev.runyard.aws;

import dev.runyard.core.access.StreamToken;
import dev.runyard.core.access.StreamTokens;
import dev.runyard.core.ids.RunKey;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;

/// Stream tokens as items `stream#<hash>` of the views table.
public final class DynamoStreamTokens implements StreamTokens {
  private static final String OPENING = "stream#";
  private static final String TENANT = "tenant";
  private static final String RUN_ID = "runId";
  private static final String ACTOR = "actor";
  private static final String KEY = "keyHash";
  private static final String EXPIRES_AT = "expiresAt";

  private final DynamoDbClient dynamo;
  private final String table;

  public DynamoStreamTokens(DynamoDbClient dynamo, String table) {
    this.dynamo = dynamo;
    this.table = table;
  }

  @Override
  public void add(StreamToken token) {
    PutItemRequest request = PutItemRequest.builder().tableName(table).item(item(token)).build();
    ServiceCall.answer("add a stream token", () -> dynamo.putItem(request));
  }

  private static Map<String, AttributeValue> item(StreamToken token) {
    Map<String, AttributeValue> item = new HashMap<>();
    item.put(RunItems.PK, Attributes.text(OPENING + token.hash()));
    item.put(RunItems.SK, RunItems.ONLY);
    item.put(TENANT, Attributes.text(token.run().tenant()));
    item.put(RUN_ID, Attributes.text(token.run().runId()));
    item.put(ACTOR, Attributes.text(token.actor()));
    token.key().ifPresent(key -> item.put(KEY, Attributes.text(key)));
    item.put(EXPIRES_AT, Attributes.number(token.expires().toEpochMilli()));
    item.put(Attributes.EXPIRES, Attributes.expiry(token.expires()));
    return item;
  }

  @Override
  public Optional<StreamToken> find(String hash) {
    GetItemRequest request =
        GetItemRequest.builder()
            .tableName(table)
            .key(Map.of(RunItems.PK, Attributes.text(OPENING + hash), RunItems.SK, RunItems.ONLY))
            .consistentRead(true)
            .build();
    return Optional.of(
            ServiceCall.answer("find a stream token", () -> dynamo.getItem(request)).item())
        .filter(item -> !item.isEmpty())
        .map(item -> token(hash, item));
  }

  private static StreamToken token(String hash, Map<String, AttributeValue> item) {
    return new StreamToken(
        hash,
        new RunKey(Attributes.textOf(item, TENANT), Attributes.textOf(item, RUN_ID)),
        Attributes.textOf(item, ACTOR),
        Optional.ofNullable(item.get(KEY)).map(AttributeValue::s),
        Instant.ofEpochMilli(Long.parseLong(Attributes.of(item, EXPIRES_AT).n())));
  }
}
