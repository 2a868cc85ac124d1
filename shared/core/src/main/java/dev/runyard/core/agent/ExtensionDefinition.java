package dev.runyard.core.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One extension a backend understands: its key, its values, what an absent key stands for (null:
/// the agent decides), and what it means.
public record ExtensionDefinition(
    String key, ExtensionType type, @Nullable JsonNode defaultValue, String meaning) {
  public ExtensionDefinition {
    Objects.requireNonNull(type);
    Objects.requireNonNull(meaning);
    if (!Capabilities.isId(key)) {
      throw new IllegalArgumentException("not an extension key: " + key);
    }
    if (defaultValue != null
        && type.check(key, defaultValue) instanceof ExtensionType.Checked.Invalid) {
      throw new IllegalArgumentException("a default its own type refuses: " + key);
    }
  }

  /// The grants of the values that only the operator can allow.
  List<String> grants() {
    return type instanceof ExtensionType.Choice(_, List<String> withheld)
        ? withheld.stream().map(word -> Grants.of(key, word)).toList()
        : List.of();
  }

  /// The extension with the values that `allow` has.
  ExtensionDefinition granted(Set<String> allow) {
    return type instanceof ExtensionType.Choice choice && !choice.withheld().isEmpty()
        ? new ExtensionDefinition(key, choice.granted(key, allow), defaultValue, meaning)
        : this;
  }

  public ObjectNode schema() {
    ObjectNode schema = type.schema().put("description", meaning);
    return defaultValue == null ? schema : schema.set("default", defaultValue);
  }
}
