package dev.runyard.runner.backend;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.agent.Capabilities;
import java.util.Map;

/// Which of an agent's own conversations a run works in, from extension values that were already
/// validated.
public sealed interface SessionChoice {
  /// None: it starts one.
  record Fresh() implements SessionChoice {}

  /// The newest one.
  ///
  /// @param fork whether in a copy of it
  record Last(boolean fork) implements SessionChoice {}

  /// The one with this id.
  ///
  /// @param fork whether in a copy of it
  record ById(String id, boolean fork) implements SessionChoice {}

  static SessionChoice of(Map<String, JsonNode> extensions) {
    JsonNode resume = extensions.get(Capabilities.SESSION_RESUME);
    if (resume != null) {
      return of(resume, false);
    }
    JsonNode fork = extensions.get(Capabilities.SESSION_FORK);
    return fork == null ? new Fresh() : of(fork, true);
  }

  private static SessionChoice of(JsonNode value, boolean fork) {
    return value.path("selector").asText("").equals("last")
        ? new Last(fork)
        : new ById(value.path("id").asText("").strip(), fork);
  }
}
