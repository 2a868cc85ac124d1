package dev.runyard.embedded;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The folder of a store, held by one store at a time. The system releases it when the process
/// dies, however it dies.
final class StoreFolder implements AutoCloseable {
  /// Those that are held in this process. Closing any channel on a file gives up all locks the
  /// process has on it, so a lock file that is held must not be opened again.
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private static final FileAttribute<Set<PosixFilePermission>> OWN =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private final Path folder;
  private final FileChannel channel;

  private StoreFolder(Path folder, FileChannel channel) {
    this.folder = folder;
    this.channel = channel;
  }

  /// @throws StoreRefused when another store holds it, or it cannot be used
  static StoreFolder hold(Path wanted) {
    try {
      Path folder = made(wanted);
      if (!HELD.add(folder)) {
        throw taken(wanted);
      }
      try {
        return new StoreFolder(folder, locked(folder, wanted));
      } catch (IOException | RuntimeException e) {
        HELD.remove(folder);
        throw e;
      }
    } catch (IOException e) {
      throw new StoreRefused("The folder %s cannot be used: %s".formatted(wanted, e), e);
    }
  }

  private static Path made(Path wanted) throws IOException {
    if (Files.isDirectory(wanted)) {
      return wanted.toRealPath();
    }
    make(wanted);
    Path folder = wanted.toRealPath();
    sync(folder.resolveSibling("."));
    return folder;
  }

  /// Makes a folder for its user alone: prompts and what agents said are in it. One that is there
  /// stays as it is.
  static void make(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      Files.createDirectories(Objects.requireNonNull(folder.toAbsolutePath().getParent()));
      Files.createDirectory(folder, OWN);
    }
  }

  private static FileChannel locked(Path folder, Path wanted) throws IOException {
    FileChannel channel =
        FileChannel.open(
            folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    FileLock lock = channel.tryLock();
    if (lock == null) {
      channel.close();
      throw taken(wanted);
    }
    return channel;
  }

  private static StoreRefused taken(Path wanted) {
    return new StoreRefused(
        "Another process uses the store in %s. End it first, or give another folder."
            .formatted(wanted));
  }

  /// Makes the names in a folder durable.
  static void sync(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /// The file that holds everything.
  Path file() {
    return file(folder);
  }

  static Path file(Path folder) {
    return folder.resolve("store.db");
  }

  @Override
  public void close() throws IOException {
    try {
      channel.close();
    } finally {
      HELD.remove(folder);
    }
  }
}
