package dev.runyard.cli.rights;

import dev.runyard.local.rights.CallRecord.Calls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/// What the roles of every tested stack called, a file a stack, in a folder of this build. Tests of
/// several JVMs add to it; the last one reads it.
public final class RecordedCalls {
  private static final String FOLDER_PROPERTY = "runyard.calls";

  private RecordedCalls() {}

  /// Keeps the record of a stack that has ended. A stack on a foreign emulator has none.
  public static void keep(Path record) {
    String folder = System.getProperty(FOLDER_PROPERTY, "");
    if (folder.isEmpty() || !Files.exists(record)) {
      return;
    }
    try {
      Files.createDirectories(Path.of(folder));
      Files.copy(record, Path.of(folder, UUID.randomUUID().toString()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// What all of them called.
  static Calls all() throws IOException {
    Path folder = Path.of(System.getProperty(FOLDER_PROPERTY, ""));
    if (!Files.isDirectory(folder)) {
      throw new AssertionError("no system test recorded a call in " + folder);
    }
    try (Stream<Path> files = Files.list(folder)) {
      List<Path> records = files.toList();
      return Calls.read(records);
    }
  }
}
