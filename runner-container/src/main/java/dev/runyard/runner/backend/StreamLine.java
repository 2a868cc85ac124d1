package dev.runyard.runner.backend;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.json.JsonFormat;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// A line of a CLI's output that is one JSON object with a type.
public record StreamLine(String type, JsonNode json) {
  /// The line's object; empty if it is not one.
  public static Optional<StreamLine> read(String line) {
    try {
      JsonNode json = JsonFormat.JSON.readTree(line);
      String type = json.path("type").asText("");
      return json.isObject() && !type.isEmpty()
          ? Optional.of(new StreamLine(type, json))
          : Optional.empty();
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  /// The events of a line of output: none if it is blank, a warning if it is not an event.
  public static List<RunEvent> events(
      String line, Function<StreamLine, List<RunEvent>> typed, OutputWarnings warnings) {
    return line.isBlank() ? List.of() : read(line).map(typed).orElseGet(warnings::unreadable);
  }

  /// The text at a path, empty if there is none.
  public String text(String pointer) {
    return json.at(pointer).asText("");
  }
}
