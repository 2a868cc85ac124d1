package dev.runyard.testkit.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/// Makes values of the schemas of a description: some that are valid, often at an edge of what the
/// schema allows. The same seed makes the same values.
public final class SchemaValues {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final int DEPTH_MAX = 6;
  private static final int ITEMS = 3;
  private static final int TEXT = 12;
  private static final String LETTERS = "abcdefgh XYZ-_./0123456789éß漢😀\"\\\n\t";

  private final JsonNode document;
  private final Random random;

  /// @param document the description that the schemas are of
  public SchemaValues(JsonNode document, Random random) {
    this.document = document;
    this.random = random;
  }

  /// A value that the schema allows.
  public JsonNode valid(JsonNode schema) {
    return valid(schema, 0);
  }

  private JsonNode valid(JsonNode given, int depth) {
    JsonNode schema = resolved(given);
    if (schema.has("const")) {
      return schema.get("const");
    }
    if (schema.has("enum")) {
      return one(schema.get("enum"));
    }
    for (String name : List.of("anyOf", "oneOf")) {
      if (schema.has(name)) {
        return valid(one(schema.get(name)), depth);
      }
    }
    if (schema.has("allOf")) {
      return valid(schema.get("allOf").get(0), depth);
    }
    return switch (type(schema)) {
      case "null" -> JSON.nullNode();
      case "boolean" -> JSON.booleanNode(random.nextBoolean());
      case "integer" -> JSON.numberNode(whole(schema));
      case "number" -> JSON.numberNode(number(schema));
      case "string" -> JSON.textNode(text(schema));
      case "array" -> list(schema, depth);
      case "object" -> object(schema, depth);
      default -> anything(depth);
    };
  }

  JsonNode resolved(JsonNode schema) {
    JsonNode found = schema;
    while (found.has("$ref")) {
      found = document.at(found.path("$ref").textValue().substring(1));
    }
    return found;
  }

  /// One of the types of a schema, `null` less often than others.
  private String type(JsonNode schema) {
    JsonNode type = schema.path("type");
    if (!type.isArray()) {
      return type.asText("");
    }
    String chosen = one(type).textValue();
    return chosen.equals("null") && random.nextBoolean() ? type.get(0).textValue() : chosen;
  }

  private long whole(JsonNode schema) {
    long least = schema.path("minimum").asLong(-1_000_000);
    long most = schema.path("maximum").asLong(1_000_000);
    return switch (random.nextInt(3)) {
      case 0 -> least;
      case 1 -> most;
      default -> least + (long) (random.nextDouble() * (most - least));
    };
  }

  private double number(JsonNode schema) {
    double most = schema.path("maximum").asDouble(1000);
    return random.nextInt(3) == 0 ? most : Math.max(0.000001, random.nextDouble() * most);
  }

  String text(JsonNode schema) {
    int most = schema.path("maxLength").asInt(Integer.MAX_VALUE);
    int least = schema.path("minLength").asInt(0);
    String pattern = schema.path("pattern").asText("");
    if (!pattern.isEmpty() && !pattern.equals("\\S")) {
      String text = PatternText.of(pattern, random);
      while (text.codePointCount(0, text.length()) > most) {
        text = PatternText.of(pattern, random);
      }
      return text;
    }
    String begin = pattern.isEmpty() ? "" : "x";
    if (most < Integer.MAX_VALUE && random.nextInt(4) == 0) {
      return begin + "y".repeat(most - begin.length());
    }
    StringBuilder text = new StringBuilder(begin);
    int length = Math.max(least, random.nextInt(Math.min(most, TEXT) + 1));
    while (text.codePointCount(0, text.length()) < length) {
      int[] letters = LETTERS.codePoints().toArray();
      text.appendCodePoint(letters[random.nextInt(letters.length)]);
    }
    int bytesMax = schema.path("x-bytes-max").asInt(Integer.MAX_VALUE);
    return bytes(text.toString()) > bytesMax ? begin : text.toString();
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  private ArrayNode list(JsonNode schema, int depth) {
    int least = schema.path("minItems").asInt(0);
    int most = schema.path("maxItems").asInt(ITEMS);
    int size =
        random.nextInt(8) == 0 ? most : least + random.nextInt(Math.min(most - least, ITEMS) + 1);
    ArrayNode list = JSON.arrayNode();
    for (int i = 0; i < size; i++) {
      list.add(valid(schema.path("items"), depth + 1));
    }
    return list;
  }

  private ObjectNode object(JsonNode schema, int depth) {
    ObjectNode object = JSON.objectNode();
    List<String> required = new ArrayList<>();
    schema.path("required").forEach(name -> required.add(name.textValue()));
    boolean few = random.nextBoolean();
    for (var property : schema.path("properties").properties()) {
      boolean wanted = depth < DEPTH_MAX && random.nextInt(few ? 6 : 2) == 0;
      if (required.contains(property.getKey()) || wanted) {
        object.set(property.getKey(), valid(property.getValue(), depth + 1));
      }
    }
    JsonNode others = schema.path("additionalProperties");
    if (others.isObject()) {
      int most = schema.path("maxProperties").asInt(ITEMS);
      int size = random.nextInt(8) == 0 ? most : random.nextInt(ITEMS + 1);
      for (int i = 0; i < size; i++) {
        object.set(text(schema.path("propertyNames")), valid(others, depth + 1));
      }
    }
    return object;
  }

  private JsonNode anything(int depth) {
    return switch (random.nextInt(depth > DEPTH_MAX ? 4 : 6)) {
      case 0 -> JSON.booleanNode(random.nextBoolean());
      case 1 -> JSON.numberNode(random.nextLong());
      case 2 -> JSON.textNode(text(JSON.objectNode()));
      case 3 -> JSON.numberNode(random.nextDouble());
      case 4 -> JSON.arrayNode().add(anything(depth + 1)).add(anything(depth + 2));
      default ->
          JSON.objectNode()
              .set(text(JSON.objectNode()).toLowerCase(Locale.ROOT), anything(depth + 1));
    };
  }

  private JsonNode one(JsonNode list) {
    return list.get(random.nextInt(list.size()));
  }
}
