package dev.runyard.testkit.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Makes a valid value of a schema one that is probably not, by one change: a step over an edge,
/// another type, a member too many or too few. Whether the change broke it is for the schema to
/// say.
public final class BrokenValues {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final int REPEATED_MAX = 300;

  private final SchemaValues values;
  private final Random random;

  public BrokenValues(SchemaValues values, Random random) {
    this.values = values;
    this.random = random;
  }

  /// A place of a value, with its schema.
  private record Place(JsonNode parent, String name, int index, JsonNode schema) {
    JsonNode value() {
      return parent.isArray() ? parent.get(index) : parent.get(name);
    }

    void put(JsonNode value) {
      if (parent instanceof ArrayNode list) {
        list.set(index, value);
      } else {
        ((ObjectNode) parent).set(name, value);
      }
    }
  }

  /// The changed value; the schema is that of an object.
  public ObjectNode broken(JsonNode schema) {
    ObjectNode value = object(schema);
    List<Place> places = new ArrayList<>();
    collect(schema, value, places);
    if (places.isEmpty() || random.nextInt(6) == 0) {
      if (!value.isEmpty() && random.nextBoolean()) {
        value.remove(value.fieldNames().next());
      } else {
        value.put("unknown", 1);
      }
      return value;
    }
    Place place = places.get(random.nextInt(places.size()));
    place.put(changed(place));
    return value;
  }

  private ObjectNode object(JsonNode schema) {
    JsonNode value = values.valid(schema);
    return value instanceof ObjectNode object ? object : JSON.objectNode();
  }

  private void collect(JsonNode given, JsonNode value, List<Place> places) {
    JsonNode schema = values.resolved(given);
    for (JsonNode any : schema.path("anyOf")) {
      collect(any, value, places);
    }
    if (value instanceof ObjectNode object) {
      for (var member : object.properties()) {
        JsonNode of = schema.path("properties").path(member.getKey());
        JsonNode known = of.isMissingNode() ? schema.path("additionalProperties") : of;
        if (known.isObject()) {
          places.add(new Place(object, member.getKey(), 0, values.resolved(known)));
          collect(known, member.getValue(), places);
        }
      }
    } else if (value instanceof ArrayNode list) {
      for (int i = 0; i < list.size(); i++) {
        places.add(new Place(list, "", i, values.resolved(schema.path("items"))));
        collect(schema.path("items"), list.get(i), places);
      }
    }
  }

  private JsonNode changed(Place place) {
    JsonNode value = place.value();
    JsonNode schema = place.schema();
    if (random.nextInt(3) == 0) {
      return other(value);
    }
    if (value instanceof ObjectNode object) {
      if (!object.isEmpty() && random.nextBoolean()) {
        object.remove(object.fieldNames().next());
        return object;
      }
      return object.put("unknown", true);
    }
    if (value.isNumber()) {
      return number(schema);
    }
    if (value.isTextual()) {
      return JSON.textNode(text(schema, value.textValue()));
    }
    if (value instanceof ArrayNode list && schema.has("maxItems")) {
      int most = schema.path("maxItems").intValue();
      while (list.size() <= most && list.size() < REPEATED_MAX) {
        list.add(list.isEmpty() ? values.valid(schema.path("items")) : list.get(0).deepCopy());
      }
      return list;
    }
    return other(value);
  }

  private JsonNode number(JsonNode schema) {
    return switch (random.nextInt(5)) {
      case 0 -> JSON.numberNode(schema.path("minimum").asLong(0) - 1);
      case 1 -> JSON.numberNode(schema.path("maximum").asLong(0) + 1);
      case 2 -> JSON.numberNode(0.5);
      case 3 -> JSON.numberNode(Double.MAX_VALUE);
      default -> JSON.numberNode(new BigInteger("99999999999999999999999"));
    };
  }

  private String text(JsonNode schema, String value) {
    return switch (random.nextInt(5)) {
      case 0 ->
          schema.has("maxLength")
              ? "x".repeat(schema.path("maxLength").intValue() + 1)
              : value + " ";
      case 1 -> "";
      case 2 -> " ";
      case 3 -> value + "\n";
      default -> value + "\u2603 ../" + value;
    };
  }

  private JsonNode other(JsonNode value) {
    List<JsonNode> others =
        List.of(
            JSON.nullNode(),
            JSON.booleanNode(true),
            JSON.numberNode(7),
            JSON.textNode("other"),
            JSON.arrayNode().add(1),
            JSON.objectNode().put("other", 1));
    JsonNode other = others.get(random.nextInt(others.size()));
    return other.getNodeType() == value.getNodeType() ? JSON.numberNode(-1.5) : other;
  }
}
