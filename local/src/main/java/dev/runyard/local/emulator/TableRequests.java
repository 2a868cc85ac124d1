package dev.runyard.local.emulator;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.local.template.TableDeclaration;
import java.util.List;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.LocalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.Projection;
import software.amazon.awssdk.services.dynamodb.model.StreamSpecification;
import software.amazon.awssdk.services.dynamodb.model.UpdateTimeToLiveRequest;

/// Turns a table of the template into the calls that create it. Capacity, encryption, backup and
/// deletion protection have no effect here and are left out.
final class TableRequests {
  private TableRequests() {}

  static CreateTableRequest create(TableDeclaration table) {
    JsonNode properties = table.properties();
    CreateTableRequest.Builder request =
        CreateTableRequest.builder()
            .tableName(table.name())
            .billingMode(BillingMode.PAY_PER_REQUEST)
            .attributeDefinitions(
                list(properties, "AttributeDefinitions").stream()
                    .map(
                        attribute ->
                            AttributeDefinition.builder()
                                .attributeName(attribute.path("AttributeName").asText())
                                .attributeType(attribute.path("AttributeType").asText())
                                .build())
                    .toList())
            .keySchema(keySchema(properties));
    List<JsonNode> global = list(properties, "GlobalSecondaryIndexes");
    if (!global.isEmpty()) {
      request.globalSecondaryIndexes(global.stream().map(TableRequests::globalIndex).toList());
    }
    List<JsonNode> local = list(properties, "LocalSecondaryIndexes");
    if (!local.isEmpty()) {
      request.localSecondaryIndexes(local.stream().map(TableRequests::localIndex).toList());
    }
    JsonNode view = properties.path("StreamSpecification").path("StreamViewType");
    if (view.isTextual()) {
      request.streamSpecification(
          StreamSpecification.builder()
              .streamEnabled(true)
              .streamViewType(view.textValue())
              .build());
    }
    return request.build();
  }

  static Optional<UpdateTimeToLiveRequest> timeToLive(TableDeclaration table) {
    JsonNode expiry = table.properties().path("TimeToLiveSpecification");
    if (!expiry.path("Enabled").asBoolean(false)) {
      return Optional.empty();
    }
    String attribute = expiry.path("AttributeName").asText();
    return Optional.of(
        UpdateTimeToLiveRequest.builder()
            .tableName(table.name())
            .timeToLiveSpecification(spec -> spec.enabled(true).attributeName(attribute))
            .build());
  }

  private static GlobalSecondaryIndex globalIndex(JsonNode index) {
    return GlobalSecondaryIndex.builder()
        .indexName(index.path("IndexName").asText())
        .keySchema(keySchema(index))
        .projection(projection(index))
        .build();
  }

  private static LocalSecondaryIndex localIndex(JsonNode index) {
    return LocalSecondaryIndex.builder()
        .indexName(index.path("IndexName").asText())
        .keySchema(keySchema(index))
        .projection(projection(index))
        .build();
  }

  private static List<KeySchemaElement> keySchema(JsonNode owner) {
    return list(owner, "KeySchema").stream()
        .map(
            key ->
                KeySchemaElement.builder()
                    .attributeName(key.path("AttributeName").asText())
                    .keyType(key.path("KeyType").asText())
                    .build())
        .toList();
  }

  private static Projection projection(JsonNode index) {
    JsonNode projection = index.path("Projection");
    Projection.Builder builder =
        Projection.builder().projectionType(projection.path("ProjectionType").asText());
    List<String> attributes =
        list(projection, "NonKeyAttributes").stream().map(JsonNode::asText).toList();
    return attributes.isEmpty() ? builder.build() : builder.nonKeyAttributes(attributes).build();
  }

  private static List<JsonNode> list(JsonNode owner, String field) {
    return owner.path(field).valueStream().toList();
  }
}
