package dev.runyard.runner.backend.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.agent.Capabilities;
import java.util.Map;

/// Which of the CLI's own conversations a run goes on with.
public sealed interface Resume {

  /// None: it starts one.
  record Fresh() implements Resume {}

  /// The newest one in the run's home.
  record Last() implements Resume {}

  /// The one with this id.
  record ById(String id) implements Resume {}

  /// Reads an extension that was already validated.
  static Resume of(Map<String, JsonNode> extensions) {
    JsonNode value = extensions.get(Capabilities.SESSION_RESUME);
    if (value == null) {
      return new Fresh();
    }
    return value.path("selector").asText().equals("last")
        ? new Last()
        : new ById(value.path("id").asText().strip());
  }
}
