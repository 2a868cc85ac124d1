package dev.runyard.core.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.limits.Bounds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

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
  ///
  /// @param withheld words that the operator has to allow first, see [Grants]
  record Choice(List<String> values, List<String> withheld) implements ExtensionType {
    public Choice {
      values = List.copyOf(values);
      withheld = List.copyOf(withheld);
    }

    Choice(List<String> values) {
      this(values, List.of());
    }

    @Override
    public Checked check(String key, JsonNode value) {
      if (value.isTextual() && values.contains(value.textValue())) {
        return new Checked.Valid(value);
      }
      return value.isTextual() && withheld.contains(value.textValue())
          ? new Checked.Invalid(
              "%s may be %s only where the operator has put \"%s\" into allow in the agents file"
                  .formatted(key, value.textValue(), Grants.of(key, value.textValue())))
          : new Checked.Invalid(key + " must be one of: " + String.join(" | ", values));
    }

    /// The choice with the words that `allow` has, as values of `key`.
    Choice granted(String key, Set<String> allow) {
      Map<Boolean, List<String>> parts =
          withheld.stream()
              .collect(Collectors.partitioningBy(word -> allow.contains(Grants.of(key, word))));
      List<String> more = new ArrayList<>(values);
      more.addAll(parts.getOrDefault(true, List.of()));
      return new Choice(more, parts.getOrDefault(false, List.of()));
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
