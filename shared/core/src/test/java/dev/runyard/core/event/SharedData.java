package dev.runyard.core.event;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// Schemas and cases of other projects, which lie beside the repository where they are there at
/// all.
public final class SharedData {
  private SharedData() {}

  /// The JSON file `name` below `shared/data` beside the repository. Where it is absent the reason
  /// for skipping its cases is printed.
  static Optional<JsonNode> json(String name) {
    Path at = Path.of("").toAbsolutePath();
    while (at != null) {
      Path file = at.resolveSibling("shared").resolve("data").resolve(name);
      if (Files.isRegularFile(file)) {
        return Optional.of(read(file));
      }
      at = at.getParent();
    }
    System.out.println("skipped the cases of " + name + ": there is no shared/data here");
    return Optional.empty();
  }

  /// The same, for cases the project is to be held to: they must be there.
  public static JsonNode required(String name) {
    return json(name).orElseThrow(() -> new AssertionError("no shared/data beside the project"));
  }

  private static JsonNode read(Path file) {
    try {
      return EventCodec.JSON.readTree(file.toFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
