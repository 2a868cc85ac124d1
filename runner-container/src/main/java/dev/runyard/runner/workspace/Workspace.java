package dev.runyard.runner.workspace;

import dev.runyard.runner.files.Removal;
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

/// The directory an attempt works in: newly created, readable only by its owner, removed
/// afterwards. Working directories are checked before an agent is started; what a running agent
/// does with links is limited by its sandbox.
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

  /// Creates the directory of one attempt below `root`, which is created too if it is missing.
  /// Fails when the directory exists, because it would contain what another attempt left.
  public static Workspace create(Path root, RunMark mark) throws IOException {
    Files.createDirectories(root, OWNER_ONLY);
    return new Workspace(
        Files.createDirectory(root.toRealPath().resolve(mark.value()), OWNER_ONLY));
  }

  /// Creates the directory of an earlier attempt of the run again, whose files are now stored
  /// elsewhere. What it left is removed.
  public static Workspace again(Path root, RunMark mark) throws IOException {
    Files.createDirectories(root, OWNER_ONLY);
    Removal.of(root.toRealPath().resolve(mark.value()));
    return create(root, mark);
  }

  /// Its path, without symbolic links.
  public Path path() {
    return path;
  }

  /// Finds the directory a client asked for, and creates it if it is missing.
  ///
  /// Empty means the workspace itself. A relative path must not contain `..` and must be inside
  /// even when its symbolic links are followed. An absolute path, if allowed, must exist.
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

  /// Removes the workspace and everything in it; returns what could not be removed. Links are
  /// removed, not followed. The path is free at once.
  public List<Path> clean() throws IOException {
    return Removal.of(path);
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

  /// False when a name is too long or the disk is full.
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
