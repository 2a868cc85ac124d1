package dev.runyard.system;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/// The calls of the roles of every tested stack, one file per stack, in a folder of this build.
/// Tests of several JVMs add to it; the gate on rights reads it.
final class RecordedCalls {
  private static final String FOLDER_PROPERTY = "runyard.calls";

  private RecordedCalls() {}

  /// Copies the record of a stack that has ended. A stack on another emulator has none.
  static void keep(Path record) {
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
}
