package dev.runyard.runner.backend;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.event.EventCodec;
import java.io.IOException;
import java.util.Optional;

/// A line of a CLI's output that is one JSON object with a type.
public record StreamLine(String type, JsonNode json) {
  /// The line's object; empty where it is none.
  public static Optional<StreamLine> read(String line) {
    try {
      JsonNode json = EventCodec.JSON.readTree(line);
      String type = json.path("type").asText("");
      return json.isObject() && !type.isEmpty()
          ? Optional.of(new StreamLine(type, json))
          : Optional.empty();
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  /// A text at a path, empty where there is none.
  public String text(String pointer) {
    return json.at(pointer).asText("");
  }
}
