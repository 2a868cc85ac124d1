package dev.runyard.agent.host;

import dev.runyard.core.ids.Digest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Copies of classes for a JVM whose user does not reach them, because a folder above them is
/// closed to others. Root starts such JVMs; for anybody else, agents have the user of their runner.
final class ClassCopies {
  private static final boolean ROOT = System.getProperty("user.name").equals("root");

  private ClassCopies() {}

  /// The same classes where the users of attempts reach them: those that they do not reach are
  /// copied below a folder, again when they have changed. Others may be reading a copy meanwhile.
  static List<Path> reached(Path folder, List<Path> classes) {
    return ROOT ? copies(folder, classes) : classes;
  }

  static List<Path> copies(Path folder, List<Path> classes) {
    List<Path> found = new ArrayList<>();
    for (Path one : classes) {
      found.add(reachable(one) ? one : copy(one, folder.resolve(Digest.hex(one.toString()))));
    }
    return found;
  }

  /// True if users other than its owner can read a file, or pass through a folder.
  static boolean reachable(Path file) {
    try {
      Path real = file.toRealPath();
      return open(file.toAbsolutePath(), real) && open(real, real);
    } catch (NoSuchFileException _) {
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean open(Path file, Path real) throws IOException {
    PosixFilePermission wanted =
        Files.isDirectory(real)
            ? PosixFilePermission.OTHERS_EXECUTE
            : PosixFilePermission.OTHERS_READ;
    if (!Files.getPosixFilePermissions(file).contains(wanted)) {
      return false;
    }
    for (Path above = file.getParent(); above != null; above = above.getParent()) {
      if (!Files.getPosixFilePermissions(above).contains(PosixFilePermission.OTHERS_EXECUTE)) {
        return false;
      }
    }
    return true;
  }

  private static Path copy(Path from, Path into) {
    Path to = into.resolve(from.getFileName());
    try {
      passable(into);
      Files.walkFileTree(
          from,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
                throws IOException {
              passable(to.resolve(from.relativize(folder)));
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
              Path target = file.equals(from) ? to : to.resolve(from.relativize(file));
              if (!same(attributes, target)) {
                replace(file, target);
              }
              return FileVisitResult.CONTINUE;
            }
          });
      return to;
    } catch (IOException e) {
      throw new UncheckedIOException("classes cannot be copied for agents", e);
    }
  }

  private static void passable(Path folder) throws IOException {
    Files.createDirectories(folder);
    Set<PosixFilePermission> all = PosixFilePermissions.fromString("rwxr-xr-x");
    Files.setPosixFilePermissions(folder, all);
  }

  private static boolean same(BasicFileAttributes of, Path copy) throws IOException {
    if (!Files.isRegularFile(copy, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    return Files.size(copy) == of.size()
        && Files.getLastModifiedTime(copy).equals(of.lastModifiedTime());
  }

  private static void replace(Path file, Path target) throws IOException {
    Path begun = Files.createTempFile(target.getParent(), "copy", "");
    try {
      Files.copy(
          file, begun, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
      Files.setPosixFilePermissions(begun, PosixFilePermissions.fromString("rw-r--r--"));
      Files.move(begun, target, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(begun);
    }
  }
}
