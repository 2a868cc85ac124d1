package dev.runyard.aws;

import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/// The two tables, with the keys and the index the stack declares.
record TestTables(DynamoDbClient dynamo) {
  static final String EVENTS = "events";
  static final String VIEWS = "views";

  void create() {
    dynamo.createTable(
        table ->
            table
                .tableName(EVENTS)
                .billingMode(BillingMode.PAY_PER_REQUEST)
                .attributeDefinitions(
                    attribute("pk", ScalarAttributeType.S), attribute("sk", ScalarAttributeType.N))
                .keySchema(key("pk", KeyType.HASH), key("sk", KeyType.RANGE)));
    dynamo.createTable(
        table ->
            table
                .tableName(VIEWS)
                .billingMode(BillingMode.PAY_PER_REQUEST)
                .attributeDefinitions(
                    attribute("pk", ScalarAttributeType.S),
                    attribute("sk", ScalarAttributeType.S),
                    attribute("open", ScalarAttributeType.S),
                    attribute("due", ScalarAttributeType.N))
                .keySchema(key("pk", KeyType.HASH), key("sk", KeyType.RANGE))
                .globalSecondaryIndexes(dueIndex()));
  }

  private static GlobalSecondaryIndex dueIndex() {
    return GlobalSecondaryIndex.builder()
        .indexName(DynamoReadModels.DUE_INDEX)
        .keySchema(key("open", KeyType.HASH), key("due", KeyType.RANGE))
        .projection(projection -> projection.projectionType(ProjectionType.KEYS_ONLY))
        .build();
  }

  private static AttributeDefinition attribute(String name, ScalarAttributeType type) {
    return AttributeDefinition.builder().attributeName(name).attributeType(type).build();
  }

  private static KeySchemaElement key(String name, KeyType type) {
    return KeySchemaElement.builder().attributeName(name).keyType(type).build();
  }
}
