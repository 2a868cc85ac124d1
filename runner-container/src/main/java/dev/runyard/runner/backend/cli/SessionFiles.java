package dev.runyard.runner.backend.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The files of CLIs' conversations. Most CLIs find a conversation by the folder it began in, but
/// each run has its own folder, so the backends find the file and make the CLI find it.
public final class SessionFiles {
  private static final int DEPTH_MAX = 6;

  private SessionFiles() {}

  /// The newest file below a folder whose name fits; empty when there is none.
  ///
  /// @param glob of the file's name
  public static Optional<Path> find(Path folder, String glob) throws IOException {
    if (!Files.isDirectory(folder)) {
      return Optional.empty();
    }
    var matcher = folder.getFileSystem().getPathMatcher("glob:" + glob);
    List<Path> found;
    try (Stream<Path> files = Files.walk(folder, DEPTH_MAX)) {
      found =
          files
              .filter(file -> matcher.matches(file.getFileName()) && Files.isRegularFile(file))
              .toList();
    }
    return found.stream().max(Comparator.comparing(SessionFiles::changed));
  }

  /// The same, for a conversation that the run needs.
  public static Path required(Path folder, String glob) throws IOException {
    return find(folder, glob).orElseThrow(SessionMissing::new);
  }

  /// Makes the file the newest, which the CLI takes for the last one.
  public static void makeNewest(Path folder, String glob) throws IOException {
    Path file = required(folder, glob);
    FileTime newest = changed(required(folder, "*"));
    Files.setLastModifiedTime(file, FileTime.fromMillis(newest.toMillis() + 1_000));
  }

  private static FileTime changed(Path file) {
    try {
      return Files.getLastModifiedTime(file);
    } catch (IOException _) {
      return FileTime.fromMillis(0);
    }
  }

  /// The requested conversation is not in the home.
  static final class SessionMissing extends IOException {
    private static final long serialVersionUID = 1L;
  }
}
