package dev.runyard.agent.hub;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// Cases of other projects, which lie beside the repository.
final class SharedData {
  private SharedData() {}

  /// The files of a folder below `shared/data` beside the repository, by name.
  static List<Path> files(String folder) {
    for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
      Path found = at.resolveSibling("shared").resolve("data").resolve(folder);
      if (Files.isDirectory(found)) {
        return listed(found);
      }
    }
    throw new IllegalStateException("there is no shared/data/" + folder + " beside the repository");
  }

  private static List<Path> listed(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
