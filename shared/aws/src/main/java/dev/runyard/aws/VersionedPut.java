package dev.runyard.aws;

import java.util.HashMap;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;

/// Puts items in place of those that were read. An item carries its version, so of concurrent
/// writers one wins.
record VersionedPut(DynamoDbClient dynamo, String table) {
  static final String VERSION = "version";

  /// Puts the next version. False when somebody else has written since.
  ///
  /// @param name of the call, for the message
  /// @param read the version that was read; 0 where there was none
  boolean put(String name, Map<String, AttributeValue> item, long read) {
    Map<String, AttributeValue> next = new HashMap<>(item);
    next.put(VERSION, Attributes.number(read + 1));
    PutItemRequest.Builder request = PutItemRequest.builder().tableName(table).item(next);
    if (read == 0) {
      request.conditionExpression("attribute_not_exists(pk)");
    } else {
      request
          .conditionExpression("version = :read")
          .expressionAttributeValues(Map.of(":read", Attributes.number(read)));
    }
    return ServiceCall.answer(
        name,
        () -> {
          try {
            dynamo.putItem(request.build());
            return true;
          } catch (ConditionalCheckFailedException _) {
            return false;
          }
        });
  }
}
