package dev.runyard.core.event;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.needs.Standards;
import java.io.IOException;
import java.io.UncheckedIOException;

/// JSON files of the standards, for tests that need them.
public final class StandardVectors {
  private StandardVectors() {}

  /// The cases of bounds, names and extensions.
  public static JsonNode read() {
    return read("universal-agent-api/vectors.json");
  }

  static JsonNode read(String name) {
    try {
      return JsonFormat.JSON.readTree(Standards.file(name).toFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
