package dev.runyard.core.agent;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Two extensions that contradict each other: while `otherKey` is `otherValue`, given or by
/// default, a given `key` may only be `only`. A missing node as `only` allows no value at all; as
/// `otherValue` it stands for any given value.
public record ExtensionRule(String key, JsonNode only, String otherKey, JsonNode otherValue) {
  public ExtensionRule {
    Objects.requireNonNull(key);
    Objects.requireNonNull(only);
    Objects.requireNonNull(otherKey);
    Objects.requireNonNull(otherValue);
  }

  /// True when the two contradict.
  ///
  /// @param value given for `key`
  /// @param other the value of `otherKey`
  boolean brokenBy(@Nullable JsonNode value, @Nullable JsonNode other) {
    return value != null
        && other != null
        && !value.equals(only)
        && (otherValue.isMissingNode() || otherValue.equals(other));
  }

  String message() {
    return "%s must be %s while %s is %s"
        .formatted(
            key,
            only.isMissingNode() ? "left out" : only.asText(),
            otherKey,
            otherValue.isMissingNode() ? "given" : otherValue.asText());
  }
}
