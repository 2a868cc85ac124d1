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
  /// The line's object; empty where it is none.
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

  /// What a line of output tells: nothing where it is blank, a warning where it is no event.
  public static List<RunEvent> events(
      String line, Function<StreamLine, List<RunEvent>> typed, OutputWarnings warnings) {
    return line.isBlank() ? List.of() : read(line).map(typed).orElseGet(warnings::unreadable);
  }

  /// A text at a path, empty where there is none.
  public String text(String pointer) {
    return json.at(pointer).asText("");
  }
}
