package dev.runyard.local.embedded;

import dev.runyard.embedded.EmbeddedStore;
import dev.runyard.local.DataFolder;
import java.nio.file.Path;

/// A copy of the data of a stack that may be running.
public final class DataBackup {
  private DataBackup() {}

  /// Copies what a data folder holds now to another, which can be used as one.
  ///
  /// @throws dev.runyard.embedded.StoreRefused when `data` has no store
  /// @throws IllegalArgumentException when `copy` has one already
  /// @throws dev.runyard.core.problem.PortUnavailable when the copy cannot be written
  public static void copy(Path data, Path copy) {
    EmbeddedStore.backup(DataFolder.store(data), DataFolder.store(copy));
  }
}
