package dev.runyard.aws;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.Projection;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/// The tables, with the keys and indexes of docs/tables.md, which are those the stack declares.
record TestTables(DynamoDbClient dynamo) {
  static final String EVENTS = "EventsTable";
  static final String VIEWS = "ViewsTable";

  void create() {
    TablesPage.tables().forEach(table -> dynamo.createTable(request(table)));
  }

  private static CreateTableRequest request(TablesPage.Table table) {
    Map<String, ScalarAttributeType> attributes = new LinkedHashMap<>();
    Stream.concat(
            Stream.of(table.partition(), table.sort()),
            table.indexes().stream().flatMap(index -> Stream.of(index.partition(), index.sort())))
        .forEach(key -> attributes.put(key.attribute(), ScalarAttributeType.fromValue(key.type())));
    CreateTableRequest.Builder request =
        CreateTableRequest.builder()
            .tableName(table.name())
            .billingMode(BillingMode.PAY_PER_REQUEST)
            .attributeDefinitions(
                attributes.entrySet().stream().map(TestTables::attribute).toList())
            .keySchema(key(table.partition(), KeyType.HASH), key(table.sort(), KeyType.RANGE));
    if (!table.indexes().isEmpty()) {
      request.globalSecondaryIndexes(table.indexes().stream().map(TestTables::index).toList());
    }
    return request.build();
  }

  private static GlobalSecondaryIndex index(TablesPage.Index index) {
    return GlobalSecondaryIndex.builder()
        .indexName(index.name())
        .keySchema(key(index.partition(), KeyType.HASH), key(index.sort(), KeyType.RANGE))
        .projection(Projection.builder().projectionType(index.projection()).build())
        .build();
  }

  private static AttributeDefinition attribute(Map.Entry<String, ScalarAttributeType> attribute) {
    return AttributeDefinition.builder()
        .attributeName(attribute.getKey())
        .attributeType(attribute.getValue())
        .build();
  }

  private static KeySchemaElement key(TablesPage.Key key, KeyType type) {
    return KeySchemaElement.builder().attributeName(key.attribute()).keyType(type).build();
  }
}
