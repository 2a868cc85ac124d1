package dev.runyard.cli.folder;

import dev.runyard.runner.files.Removal;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The files that a patch touches as they were before it, until it is applied or undone: git
/// removes the old ones first and may then fail to write the new ones.
///
/// They lie as in the folder, and share their content with it where the file system allows that:
/// git replaces files and writes into none. Whoever is killed midway leaves them, and the next one
/// finds them. One command at a time has the place.
final class FilesBefore implements AutoCloseable {
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rwx------");

  /// Most lock files that are found to be removed before the place counts as another's.
  private static final int OPENINGS_MAX = 10;

  private static final String LOCK = "lock";
  private static final String FOLDER = "folder";

  private final Path folder;
  private final Path place;
  private final FileChannel channel;
  private final Map<String, Map<String, Object>> unchanged = new HashMap<>();
  private NavigableSet<String> touched = new TreeSet<>();
  private boolean stay;

  private FilesBefore(Path folder, Path place, FileChannel channel) {
    this.folder = folder;
    this.place = place;
    this.channel = channel;
  }

  /// What became of opening the place.
  sealed interface Opened {
    record Ready(FilesBefore files) implements Opened {}

    /// Another command has it.
    record Taken() implements Opened {}

    /// A command that was killed has left what the files were.
    ///
    /// @param folder of those files
    record Left(Path before, Path folder) implements Opened {}
  }

  /// Opens the place, alone.
  ///
  /// @param place of a folder; others find it by the same name
  static Opened open(Path folder, Path place) throws IOException {
    return open(folder, place, () -> {});
  }

  /// @param found told when the lock's file was opened, which may be removed then
  static Opened open(Path folder, Path place, Found found) throws IOException {
    for (int i = 0; i < OPENINGS_MAX; i++) {
      FileChannel channel = channel(place);
      if (channel == null) {
        continue;
      }
      found.opened();
      FilesBefore files = new FilesBefore(folder, place, channel);
      try {
        switch (files.locked()) {
          case HELD -> {
            return files.begin();
          }
          case TAKEN -> {
            channel.close();
            return new Opened.Taken();
          }
          case REMOVED -> channel.close();
        }
      } catch (IOException e) {
        channel.close();
        throw e;
      }
    }
    return new Opened.Taken();
  }

  @FunctionalInterface
  interface Found {
    void opened() throws IOException;
  }

  /// Null if the place was removed meanwhile.
  @SuppressWarnings("MustBeClosedChecker")
  private static @Nullable FileChannel channel(Path place) throws IOException {
    try {
      Files.createDirectory(place, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
    } catch (FileAlreadyExistsException e) {
      if (!isOwn(place) && Files.exists(place, LinkOption.NOFOLLOW_LINKS)) {
        throw new IOException(place + " is another user's", e);
      }
    }
    try {
      return FileChannel.open(
          place.resolve(LOCK),
          StandardOpenOption.CREATE,
          StandardOpenOption.WRITE,
          LinkOption.NOFOLLOW_LINKS);
    } catch (NoSuchFileException _) {
      return null;
    }
  }

  private Opened begin() throws IOException {
    if (Files.exists(before())) {
      Path of = Path.of(Files.readString(place.resolve(FOLDER)));
      channel.close();
      return new Opened.Left(before(), of);
    }
    Removal.of(begun());
    Files.writeString(place.resolve(FOLDER), folder.toString());
    return new Opened.Ready(this);
  }

  private static boolean isOwn(Path place) throws IOException {
    Path mine = Files.createTempFile("runyard", ".owner");
    try {
      return Files.isDirectory(place, LinkOption.NOFOLLOW_LINKS)
          && Files.getOwner(place, LinkOption.NOFOLLOW_LINKS).equals(Files.getOwner(mine));
    } finally {
      Files.delete(mine);
    }
  }

  private enum Lock {
    HELD,
    TAKEN,
    /// By who had it, since the file was opened: another one may be locked by now.
    REMOVED
  }

  /// Whether the file with the lock is still the one that others find is seen by what is written
  /// into it.
  @SuppressWarnings("MustBeClosedChecker")
  private Lock locked() throws IOException {
    try {
      FileLock lock = channel.tryLock();
      if (lock == null) {
        return Lock.TAKEN;
      }
    } catch (OverlappingFileLockException _) {
      return Lock.TAKEN;
    }
    String mark = UUID.randomUUID().toString();
    var _ = channel.truncate(0).write(StandardCharsets.UTF_8.encode(mark));
    try {
      return Files.readString(place.resolve(LOCK)).equals(mark) ? Lock.HELD : Lock.REMOVED;
    } catch (NoSuchFileException _) {
      return Lock.REMOVED;
    }
  }

  /// Where the files lie once all are kept.
  Path before() {
    return place.resolve("before");
  }

  private Path begun() {
    return place.resolve("begun");
  }

  /// Keeps what is there.
  ///
  /// @param paths of files, relative to the folder and within it
  void keep(Set<String> paths) throws IOException {
    touched = new TreeSet<>(paths);
    Path copy = Files.createDirectory(begun());
    for (String path : touched) {
      keep(path, copy);
    }
    for (String path : folders().descendingSet()) {
      if (Files.isDirectory(copy.resolve(path), LinkOption.NOFOLLOW_LINKS)) {
        sameMode(folder.resolve(path), copy.resolve(path));
      }
    }
    sameMode(folder, copy);
    for (String path : touched) {
      Map<String, Object> is = identity(folder.resolve(path));
      if (is != null) {
        unchanged.put(path, is);
      }
    }
    Files.move(copy, before(), StandardCopyOption.ATOMIC_MOVE);
  }

  private void keep(String path, Path copy) throws IOException {
    Path file = folder;
    Path kept = copy;
    for (Path name : Path.of(path)) {
      if (!Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
        return;
      }
      if (!Files.exists(kept, LinkOption.NOFOLLOW_LINKS)) {
        Files.createDirectory(kept);
      }
      file = file.resolve(name);
      kept = kept.resolve(name);
    }
    if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
      if (!Files.exists(kept, LinkOption.NOFOLLOW_LINKS)) {
        Files.createDirectory(kept);
      }
    } else if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      same(file, kept);
    }
  }

  /// A link of the same target; or a file of the same content, if it can be the same one.
  private static void same(Path from, Path to) throws IOException {
    if (Files.isSymbolicLink(from)) {
      Files.createSymbolicLink(to, Files.readSymbolicLink(from));
      return;
    }
    if (!Files.isRegularFile(from, LinkOption.NOFOLLOW_LINKS)) {
      throw new IOException(from + " is no file");
    }
    try {
      Files.createLink(to, from);
    } catch (IOException | UnsupportedOperationException _) {
      Files.copy(from, to, StandardCopyOption.COPY_ATTRIBUTES, LinkOption.NOFOLLOW_LINKS);
    }
  }

  private static void sameMode(Path from, Path to) throws IOException {
    Files.setPosixFilePermissions(
        to, Files.getPosixFilePermissions(from, LinkOption.NOFOLLOW_LINKS));
  }

  /// Of a file that nobody has replaced or changed.
  private static @Nullable Map<String, Object> identity(Path file) throws IOException {
    return Files.exists(file, LinkOption.NOFOLLOW_LINKS)
        ? Files.readAttributes(file, "unix:ino,dev,ctime,mode", LinkOption.NOFOLLOW_LINKS)
        : null;
  }

  /// Puts everything back, and removes what was made. If something cannot be put back, what was
  /// kept stays, and it is said why.
  Optional<String> putBack() {
    if (!Files.exists(before())) {
      return Optional.empty();
    }
    Undoing undoing = new Undoing(folder, before());
    touched.forEach(path -> undoing.step(() -> removeMade(undoing, path)));
    NavigableSet<String> folders = folders();
    folders.descendingSet().forEach(path -> undoing.step(() -> undoing.removeFolder(path)));
    folders.forEach(path -> undoing.step(() -> undoing.makeFolder(path)));
    touched.forEach(path -> undoing.step(() -> putBack(undoing, path)));
    undoing.modes();
    Optional<String> failed = undoing.failed();
    stay = failed.isPresent();
    return failed;
  }

  private void removeMade(Undoing undoing, String path) throws IOException {
    Path file = folder.resolve(path);
    if (undoing.behindALink(path).isEmpty()
        && Files.exists(file, LinkOption.NOFOLLOW_LINKS)
        && !Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)
        && !isUnchanged(path)) {
      Files.delete(file);
    }
  }

  private void putBack(Undoing undoing, String path) throws IOException {
    Path kept = before().resolve(path);
    if (!Files.exists(kept, LinkOption.NOFOLLOW_LINKS)
        || Files.isDirectory(kept, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    Optional<Path> link = undoing.behindALink(path);
    if (link.isPresent()) {
      throw new IOException(link.get() + " is a link now");
    }
    if (!isUnchanged(path)) {
      same(kept, folder.resolve(path));
    }
  }

  private boolean isUnchanged(String path) throws IOException {
    Map<String, Object> was = unchanged.get(path);
    return was != null && was.equals(identity(folder.resolve(path)));
  }

  /// Those that paths name on their way, and those in whose place a file comes.
  private NavigableSet<String> folders() {
    NavigableSet<String> folders = new TreeSet<>(touched);
    for (String path : touched) {
      for (int at = path.indexOf('/'); at > 0; at = path.indexOf('/', at + 1)) {
        folders.add(path.substring(0, at));
      }
    }
    return folders;
  }

  /// Removes what was kept, unless it is still needed, and frees the place. What could not be
  /// removed is removed by the next one. The lock's file goes last: only who has it removes
  /// anything.
  @Override
  public void close() throws IOException {
    try (channel) {
      if (stay) {
        return;
      }
      if (Files.exists(before())) {
        Files.move(before(), begun(), StandardCopyOption.ATOMIC_MOVE);
      }
      if (Removal.of(begun()).isEmpty()) {
        Files.deleteIfExists(place.resolve(FOLDER));
      }
      Files.deleteIfExists(place.resolve(LOCK));
      removePlace();
    }
  }

  /// It stays where something is left in it, or somebody has it already.
  private void removePlace() throws IOException {
    try {
      Files.deleteIfExists(place);
    } catch (DirectoryNotEmptyException _) {
      stay = true;
    }
  }
}
