package dev.runyard.runner.backend;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/// Recordings and cases of other projects, which lie beside the project.
public final class SharedFiles {
  private static final Path DATA = Path.of("shared", "data");

  private SharedFiles() {}

  /// The file or folder `name`, which must be there.
  public static Path required(String name) {
    return Stream.iterate(Path.of("").toAbsolutePath(), path -> path != null, Path::getParent)
        .map(path -> path.resolve(DATA).resolve(name))
        .filter(Files::exists)
        .findFirst()
        .orElseThrow(() -> new AssertionError("no folder above this one has " + DATA));
  }
}
