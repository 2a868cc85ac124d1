package dev.runyard.runner.workspace;

import dev.runyard.runner.process.RunMark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;

/// The directory an attempt works in: made fresh, readable by its owner only, removed afterwards.
///
/// Working directories are checked before an agent is started; what a running agent does with links
/// is for its sandbox to bound.
public final class Workspace {

  /// Whether a client may name a directory outside the workspace by its absolute path.
  public enum AbsolutePaths {
    REFUSED,
    ALLOWED
  }

  private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private final Path path;

  private Workspace(Path path) {
    this.path = path;
  }

  /// Makes the directory of one attempt under `root`, which is made too when it is missing.
  ///
  /// Fails when the directory exists: it would hold what another attempt left.
  public static Workspace create(Path root, RunMark mark) throws IOException {
    Files.createDirectories(root, OWNER_ONLY);
    return new Workspace(
        Files.createDirectory(root.toRealPath().resolve(mark.value()), OWNER_ONLY));
  }

  /// Makes the directory anew that an earlier attempt of the run had, whose files are kept
  /// elsewhere by now. What it left is removed.
  public static Workspace again(Path root, RunMark mark) throws IOException {
    Files.createDirectories(root, OWNER_ONLY);
    new Removal(root.toRealPath().resolve(mark.value())).run();
    return create(root, mark);
  }

  /// Where it is, with no symbolic link in the path.
  public Path path() {
    return path;
  }

  /// Finds the directory a client asked for, and makes it when it is missing.
  ///
  /// Empty means the workspace itself. A relative path may hold no `..` and must lie inside also
  /// when its symbolic links are followed. An absolute path, where allowed, must exist.
  public WorkingDir workingDir(String requested, AbsolutePaths absolutePaths) throws IOException {
    Path asked;
    try {
      asked = Path.of(requested);
    } catch (InvalidPathException e) {
      return new WorkingDir.Refused("not a path");
    }
    for (Path name : asked) {
      if (name.toString().equals("..")) {
        return new WorkingDir.Refused("the path holds ..");
      }
    }
    if (!asked.isAbsolute()) {
      return inside(asked);
    }
    return switch (absolutePaths) {
      case REFUSED -> new WorkingDir.Refused("the path is absolute");
      case ALLOWED -> existing(asked);
    };
  }

  /// Removes the workspace and all in it; answers what could not be removed. Links are removed, not
  /// followed. The path is free at once.
  public List<Path> clean() throws IOException {
    return new Removal(path).run();
  }

  private WorkingDir inside(Path relative) throws IOException {
    Path current = path;
    for (Path name : relative) {
      Path next = current.resolve(name);
      if (!Files.exists(next, LinkOption.NOFOLLOW_LINKS) && !made(next)) {
        return new WorkingDir.Refused("the directory cannot be made");
      }
      if (!Files.isDirectory(next)) {
        return new WorkingDir.Refused("the path is not a directory");
      }
      current = next.toRealPath();
      if (!current.startsWith(path)) {
        return new WorkingDir.Refused("the path leads out of the workspace");
      }
    }
    return new WorkingDir.Granted(current);
  }

  /// Not when a name is too long or the disk is full.
  private static boolean made(Path directory) {
    try {
      Files.createDirectory(directory, OWNER_ONLY);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static WorkingDir existing(Path absolute) throws IOException {
    return Files.isDirectory(absolute)
        ? new WorkingDir.Granted(absolute.toRealPath())
        : new WorkingDir.Refused("the path is not a directory");
  }
}
