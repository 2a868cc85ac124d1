package dev.runyard.core.agent;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Objects;

/// Two extensions that contradict each other: while `otherKey` is `otherValue`, given or by
/// default, a given `key` may only be `only`.
public record ExtensionRule(String key, JsonNode only, String otherKey, JsonNode otherValue) {
  public ExtensionRule {
    Objects.requireNonNull(key);
    Objects.requireNonNull(only);
    Objects.requireNonNull(otherKey);
    Objects.requireNonNull(otherValue);
  }

  String message() {
    return "%s must be %s while %s is %s"
        .formatted(key, only.asText(), otherKey, otherValue.asText());
  }
}
