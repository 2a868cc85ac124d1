package dev.runyard.embedded;

import dev.runyard.core.problem.PortUnavailable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;

/// A copy of a store while it is used: all that was acknowledged before, and nothing of what comes
/// meanwhile. What is copied is read once, and kept from being changed for as long, by the
/// write-ahead log, which grows by what is written meanwhile.
final class StoreBackup {
  private final StoreWriter.Opening copier;

  /// @param copier opens a connection to what is copied
  StoreBackup(StoreWriter.Opening copier) {
    this.copier = copier;
  }

  /// Writes the copy as the store of another folder, whole or not at all.
  ///
  /// @throws IllegalArgumentException when that folder has a store already
  void write(Path folder) {
    Path file = StoreFolder.file(folder);
    if (Files.exists(file)) {
      throw new IllegalArgumentException("There is a store in %s already.".formatted(folder));
    }
    Path draft = file.resolveSibling("store.db.new");
    try {
      StoreFolder.make(folder);
      Files.deleteIfExists(draft);
      copy(draft);
      try (FileChannel channel = FileChannel.open(draft, StandardOpenOption.WRITE)) {
        channel.force(true);
      }
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
      StoreFolder.sync(folder);
    } catch (IOException e) {
      throw new PortUnavailable("backup: %s cannot be written".formatted(folder), e);
    }
  }

  private void copy(Path draft) throws IOException {
    try (StoreConnection connection = copier.open()) {
      connection.update("vacuum into ?", draft.toAbsolutePath().toString());
    } catch (SQLException e) {
      Files.deleteIfExists(draft);
      throw StoreFault.refusal("backup", e);
    }
  }
}
