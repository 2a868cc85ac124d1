package dev.runyard.core;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/// Files of the repository that tests read, from whichever of its folders they run in.
public final class SourceFiles {
  private SourceFiles() {}

  public static Path at(String path) {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.exists(folder.resolve("template.yaml"))) {
      folder = Objects.requireNonNull(folder.getParent(), "not within the repository");
    }
    return folder.resolve(path);
  }
}
