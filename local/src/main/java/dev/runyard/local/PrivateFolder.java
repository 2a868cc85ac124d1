package dev.runyard.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/// A folder that only this process's user may enter: what a stack keeps is beside the folders of
/// agents, who may be other users.
public final class PrivateFolder {
  private PrivateFolder() {}

  /// Makes it where there is none, and closes it to others.
  public static Path at(Path folder) {
    try {
      Files.createDirectories(folder);
      return Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot make " + folder, e);
    }
  }
}
