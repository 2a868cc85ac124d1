package dev.runyard.runner.upload;

import dev.runyard.core.change.ChangeBounds;
import dev.runyard.core.limits.Bounds;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

/// Writes the entries of one archive into an empty folder that nobody else uses. Links are written
/// last, so that no entry goes through one; devices, pipes and the like not at all. Each path is
/// written once.
final class Unpacking {
  private static final int FOLDER_MODE = 0755;
  private static final int BUFFER_BYTES = 64 * 1024;

  /// From the lowest bit on.
  private static final PosixFilePermission[] PERMISSIONS = {
    PosixFilePermission.OTHERS_EXECUTE,
    PosixFilePermission.OTHERS_WRITE,
    PosixFilePermission.OTHERS_READ,
    PosixFilePermission.GROUP_EXECUTE,
    PosixFilePermission.GROUP_WRITE,
    PosixFilePermission.GROUP_READ,
    PosixFilePermission.OWNER_EXECUTE,
    PosixFilePermission.OWNER_WRITE,
    PosixFilePermission.OWNER_READ,
  };

  private final Path root;
  private final UnpackBounds bounds;
  private final BooleanSupplier stopped;
  private final Map<String, Kind> written = new HashMap<>();
  private final Map<String, Integer> folders = new LinkedHashMap<>();
  private final Map<String, String> links = new LinkedHashMap<>();
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private long left;
  private long textBytes;
  private long bytes;
  private long files;

  private enum Kind {
    FOLDER,
    FILE,
    LINK
  }

  /// Something that the disk is asked to do.
  @FunctionalInterface
  private interface Writing {
    void write() throws IOException;
  }

  /// @param archiveBytes how large the archive is
  /// @param stopped true when nothing more is to be written
  Unpacking(Path root, UnpackBounds bounds, long archiveBytes, BooleanSupplier stopped) {
    this.root = root;
    this.bounds = bounds;
    this.left = bounds.bytesOf(archiveBytes);
    this.stopped = stopped;
  }

  long files() {
    return files;
  }

  long bytes() {
    return bytes;
  }

  void folder(EntryPath path, int mode) throws IOException {
    if (path.isRoot()) {
      return;
    }
    around(path);
    makeFolder(path.text());
    folders.put(path.text(), mode);
  }

  /// Writes a file with all that a stream has.
  void file(EntryPath path, int mode, InputStream content) throws IOException {
    begin(path, Kind.FILE);
    files++;
    Path file = at(path.text());
    try (OutputStream out = created(file)) {
      for (int n = content.read(buffer); n >= 0; n = content.read(buffer)) {
        take(n);
        int length = n;
        disk(() -> out.write(buffer, 0, length));
      }
    }
    disk(() -> Files.setPosixFilePermissions(file, permissions(mode | 0600)));
  }

  /// A second name of a file that is there already becomes a copy of it.
  void copy(EntryPath path, EntryPath of) throws IOException {
    if (written.get(of.text()) != Kind.FILE) {
      throw ArchiveRefused.because("a hard link in it has no file of the archive as its target");
    }
    begin(path, Kind.FILE);
    files++;
    Path from = at(of.text());
    take(Files.size(from));
    disk(() -> Files.copy(from, at(path.text()), java.nio.file.StandardCopyOption.COPY_ATTRIBUTES));
  }

  /// A symbolic link, wherever it leads: nobody here follows it.
  void link(EntryPath path, String target) throws IOException {
    if (target.isEmpty()
        || target.indexOf('\0') >= 0
        || target.indexOf('\uFFFD') >= 0
        || Bounds.bytes(target) > UnpackBounds.LINK_BYTES_MAX) {
      throw ArchiveRefused.because("a link in it has a target that is none");
    }
    begin(path, Kind.LINK);
    if (path.name().toLowerCase(Locale.ROOT).equals(".gitmodules")) {
      throw ArchiveRefused.because("a link in it has the name of a file that git reads");
    }
    files++;
    count(target);
    links.put(path.text(), target);
  }

  /// Writes what had to wait.
  void finish() throws IOException {
    for (Map.Entry<String, String> link : links.entrySet()) {
      disk(() -> Files.createSymbolicLink(at(link.getKey()), Path.of(link.getValue())));
    }
    for (Map.Entry<String, Integer> folder : folders.entrySet()) {
      disk(
          () ->
              Files.setPosixFilePermissions(
                  at(folder.getKey()), permissions(folder.getValue() | 0700)));
    }
  }

  private void begin(EntryPath path, Kind kind) throws IOException {
    if (path.isRoot()) {
      throw ArchiveRefused.because("an entry in it has no name");
    }
    around(path);
    if (written.putIfAbsent(path.text(), kind) != null) {
      throw ArchiveRefused.because("a path is in it twice");
    }
    count(path.text());
  }

  private void around(EntryPath path) throws IOException {
    if (stopped.getAsBoolean()) {
      throw ArchiveRefused.stopped();
    }
    for (String folder : path.folders()) {
      makeFolder(folder);
    }
  }

  private void makeFolder(String path) throws IOException {
    Kind there = written.putIfAbsent(path, Kind.FOLDER);
    if (there == null) {
      count(path);
      folders.put(path, FOLDER_MODE);
      disk(() -> Files.createDirectory(at(path)));
    } else if (there != Kind.FOLDER) {
      throw ArchiveRefused.because("a file or link in it is a folder too");
    }
  }

  /// Counts a path or the target of a link, all of which are in memory.
  private void count(String text) throws ArchiveRefused {
    textBytes += Bounds.bytes(text);
    if (written.size() > bounds.entries() || textBytes > ChangeBounds.PATHS_BYTES_MAX) {
      throw ArchiveRefused.tooLarge();
    }
  }

  private void take(long more) throws ArchiveRefused {
    bytes += more;
    left -= more;
    if (left < 0) {
      throw ArchiveRefused.tooLarge();
    }
    if (stopped.getAsBoolean()) {
      throw ArchiveRefused.stopped();
    }
  }

  private Path at(String path) throws ArchiveRefused {
    try {
      return root.resolve(path);
    } catch (InvalidPathException _) {
      throw ArchiveRefused.because("a name in it is none on the runner's machine");
    }
  }

  private static OutputStream created(Path file) throws ArchiveRefused {
    try {
      return Files.newOutputStream(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    } catch (IOException _) {
      throw ArchiveRefused.notWritten();
    }
  }

  /// Tells what the disk does not do from what the archive does not have.
  private static void disk(Writing writing) throws ArchiveRefused {
    try {
      writing.write();
    } catch (ArchiveRefused e) {
      throw e;
    } catch (IOException | InvalidPathException _) {
      throw ArchiveRefused.notWritten();
    }
  }

  /// Without the bits by which a program gets the rights of its owner.
  private static Set<PosixFilePermission> permissions(int mode) {
    Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
    for (int bit = 0; bit < PERMISSIONS.length; bit++) {
      if ((mode & (1 << bit)) != 0) {
        permissions.add(PERMISSIONS[bit]);
      }
    }
    return permissions;
  }
}
