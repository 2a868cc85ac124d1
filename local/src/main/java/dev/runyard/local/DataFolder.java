package dev.runyard.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The data folder of a stack, locked by one stack at a time. The system releases the lock when the
/// process dies, however it dies.
public final class DataFolder implements AutoCloseable {
  private static final String STORE = "store";
  private static final String TABLES = "tables";
  private static final String QUEUES = "queues";
  private static final String OBJECTS = "objects";

  private final Path folder;
  private final FileChannel channel;

  /// Locks the folder, which is made where there is none.
  ///
  /// @throws IllegalStateException when another stack uses it
  public DataFolder(Path folder) {
    this.folder = folder;
    try {
      Files.createDirectories(folder);
      channel =
          FileChannel.open(
              folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (lock(channel) == null) {
        channel.close();
        throw new IllegalStateException("another stack uses " + folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot use " + folder, e);
    }
  }

  private static @Nullable FileLock lock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  /// The folder of the embedded store.
  ///
  /// @throws IllegalStateException when the data is that of emulators
  public Path store() {
    requireNone(TABLES, "emulators; start it with --emulated, or give another folder");
    return store(folder);
  }

  /// The folder of the embedded store in a data folder, whoever uses that.
  public static Path store(Path data) {
    return data.resolve(STORE);
  }

  /// @throws IllegalStateException when the data is that of an embedded store
  Path tables() {
    requireNone(
        STORE, "a stack without emulators; start it without --emulated, or give another folder");
    return PrivateFolder.at(folder.resolve(TABLES));
  }

  /// The folders in which a stack keeps what its runs left, whoever uses them.
  static Stream<Path> kept(Path data) {
    return Stream.of(STORE, TABLES, QUEUES, OBJECTS).map(data::resolve);
  }

  private void requireNone(String other, String whose) {
    if (Files.exists(folder.resolve(other))) {
      throw new IllegalStateException(folder + " has the data of " + whose);
    }
  }

  Path queues() {
    return PrivateFolder.at(folder.resolve(QUEUES));
  }

  Path objects() {
    return PrivateFolder.at(folder.resolve(OBJECTS));
  }

  Path checkpoints() {
    return folder.resolve("checkpoints.json");
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot release " + folder, e);
    }
  }
}
