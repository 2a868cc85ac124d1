package dev.runyard.core.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.limits.Bounds;
import java.util.List;

/// The values an extension takes. A type checks a value and describes itself as JSON Schema; no
/// message repeats the value it refuses, which may be a secret in the wrong place.
public sealed interface ExtensionType
    permits ExtensionType.Flag,
        ExtensionType.Text,
        ExtensionType.Choice,
        ExtensionType.Whole,
        DirsExtension,
        SessionExtension,
        NetworkExtension {

  Checked check(String key, JsonNode value);

  ObjectNode schema();

  /// What a check found: the value to use, or why there is none.
  sealed interface Checked {
    record Valid(JsonNode value) implements Checked {}

    record Invalid(String message) implements Checked {}
  }

  /// `true` or `false`.
  record Flag() implements ExtensionType {
    @Override
    public Checked check(String key, JsonNode value) {
      return value.isBoolean()
          ? new Checked.Valid(value)
          : new Checked.Invalid(key + " must be a boolean");
    }

    @Override
    public ObjectNode schema() {
      return ofType("boolean");
    }
  }

  /// One line of 1 to `bytesMax` bytes, without surrounding white space. It must not begin with a
  /// dash, so that no command line takes it for an option.
  record Text(int bytesMax) implements ExtensionType {
    @Override
    public Checked check(String key, JsonNode value) {
      String text = value.isTextual() ? value.textValue().strip() : "";
      boolean fits = !text.isEmpty() && Bounds.bytes(text) <= bytesMax;
      return !fits || text.startsWith("-") || text.chars().anyMatch(Character::isISOControl)
          ? new Checked.Invalid("invalid " + key)
          : new Checked.Valid(JsonNodeFactory.instance.textNode(text));
    }

    @Override
    public ObjectNode schema() {
      return ofType("string")
          .put("minLength", 1)
          .put("maxLength", bytesMax)
          .put("pattern", "^[^-]");
    }
  }

  /// One of a closed list of words.
  record Choice(List<String> values) implements ExtensionType {
    public Choice {
      values = List.copyOf(values);
    }

    @Override
    public Checked check(String key, JsonNode value) {
      return value.isTextual() && values.contains(value.textValue())
          ? new Checked.Valid(value)
          : new Checked.Invalid(key + " must be one of: " + String.join(" | ", values));
    }

    @Override
    public ObjectNode schema() {
      ObjectNode schema = ofType("string");
      values.forEach(schema.putArray("enum")::add);
      return schema;
    }
  }

  /// A whole number from `min` to `max`.
  record Whole(long min, long max) implements ExtensionType {
    @Override
    public Checked check(String key, JsonNode value) {
      return value.isIntegralNumber()
              && value.canConvertToLong()
              && value.longValue() >= min
              && value.longValue() <= max
          ? new Checked.Valid(value)
          : new Checked.Invalid("%s must be a whole number from %d to %d".formatted(key, min, max));
    }

    @Override
    public ObjectNode schema() {
      return ofType("integer").put("minimum", min).put("maximum", max);
    }
  }

  private static ObjectNode ofType(String name) {
    return JsonNodeFactory.instance.objectNode().put("type", name);
  }
}
