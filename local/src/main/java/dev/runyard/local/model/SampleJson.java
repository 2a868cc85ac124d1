package dev.runyard.local.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;

/// The simplest value that fits a JSON Schema, for the keywords that agents use.
///
/// Agents ask a model for JSON without the user's knowledge, and retry for minutes when they get
/// prose.
final class SampleJson {

  static final String TEXT = "scripted";
  static final int DEPTH_MAX = 16;
  static final int ITEMS_MAX = 16;

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final List<String> CHOICES = List.of("anyOf", "oneOf", "allOf");

  private SampleJson() {}

  static JsonNode of(JsonNode schema) {
    return sample(schema, schema, 0);
  }

  private static JsonNode sample(JsonNode schema, JsonNode root, int depth) {
    if (depth == DEPTH_MAX) {
      return JSON.createObjectNode();
    }
    if (schema.path("$ref").asText("").startsWith("#")) {
      return sample(root.at(schema.path("$ref").asText().substring(1)), root, depth + 1);
    }
    if (schema.has("const")) {
      return schema.path("const");
    }
    if (!schema.path("enum").isEmpty()) {
      return schema.path("enum").path(0);
    }
    for (String choice : CHOICES) {
      if (!schema.path(choice).isEmpty()) {
        return sample(schema.path(choice).path(0), root, depth + 1);
      }
    }
    return switch (type(schema)) {
      case "number", "integer" ->
          JSON.getNodeFactory().numberNode(Math.max(0, schema.path("minimum").asInt(0)));
      case "boolean" -> JSON.getNodeFactory().booleanNode(false);
      case "array" -> items(schema, root, depth);
      case "object" -> members(schema, root, depth);
      case "null" -> JSON.getNodeFactory().nullNode();
      default -> JSON.getNodeFactory().textNode(TEXT);
    };
  }

  private static String type(JsonNode schema) {
    JsonNode type =
        schema.path("type").isArray() ? schema.path("type").path(0) : schema.path("type");
    return type.asText(schema.has("properties") ? "object" : "").toLowerCase(Locale.ROOT);
  }

  private static ArrayNode items(JsonNode schema, JsonNode root, int depth) {
    ArrayNode items = JSON.createArrayNode();
    int count = Math.min(schema.path("minItems").asInt(0), ITEMS_MAX);
    for (int i = 0; i < count; i++) {
      items.add(sample(schema.path("items"), root, depth + 1));
    }
    return items;
  }

  private static ObjectNode members(JsonNode schema, JsonNode root, int depth) {
    ObjectNode members = JSON.createObjectNode();
    for (JsonNode name : schema.path("required")) {
      members.set(
          name.asText(), sample(schema.path("properties").path(name.asText()), root, depth + 1));
    }
    return members;
  }
}
