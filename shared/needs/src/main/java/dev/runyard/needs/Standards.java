package dev.runyard.needs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/// The standards' own files: schemas, vectors and recordings that other projects publish. They are
/// next to the repository or absent, and never in it.
public final class Standards {
  static final Path FOLDER = repository().resolveSibling("shared").resolve("data");

  private Standards() {}

  /// The file `name`, which exists for a test with [NeedsStandards].
  public static Path file(String name) {
    return there(FOLDER.resolve(name), Files.isRegularFile(FOLDER.resolve(name)));
  }

  /// The file `name`, if it is there: for tests that check more with it.
  public static Optional<Path> present(String name) {
    return Optional.of(FOLDER.resolve(name)).filter(Files::isRegularFile);
  }

  /// All files below the folder `name`, sorted.
  public static List<Path> files(String name) {
    Path folder = FOLDER.resolve(name);
    try (Stream<Path> files = Files.walk(there(folder, Files.isDirectory(folder)))) {
      return files.filter(Files::isRegularFile).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path there(Path path, boolean exists) {
    if (!exists) {
      throw new AssertionError(path + " is missing");
    }
    return path;
  }

  /// The repository's root, from any folder in which the build runs a test.
  private static Path repository() {
    return Stream.iterate(Path.of("").toAbsolutePath(), Objects::nonNull, Path::getParent)
        .filter(folder -> Files.exists(folder.resolve("samconfig.toml")))
        .findFirst()
        .orElseThrow(() -> new AssertionError("the tests run outside the repository"));
  }
}
