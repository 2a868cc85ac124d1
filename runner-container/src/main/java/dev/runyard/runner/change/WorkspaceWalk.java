package dev.runyard.runner.change;

import dev.runyard.core.change.ChangeBounds;
import dev.runyard.core.change.LeftOut;
import dev.runyard.core.limits.Bounds;
import dev.runyard.runner.files.Pinned;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// Goes through a workspace, folders before what is in them, in the order of names.
///
/// Each step names a file within a held folder and never follows a link, and a file is held before
/// it is looked at, so that what is read is what was looked at, whoever exchanges it meanwhile: an
/// agent may have opened its folders to another attempt. Pipes, sockets and devices are not opened
/// at all.
final class WorkspaceWalk {
  private static final Set<PosixFilePermission> ENTER =
      EnumSet.of(
          PosixFilePermission.OWNER_READ,
          PosixFilePermission.OWNER_WRITE,
          PosixFilePermission.OWNER_EXECUTE);

  private final Each each;
  private final Deadline deadline;
  private final UserPrincipal owner;
  private int entries;
  private long pathBytes;

  private WorkspaceWalk(Path root, Each each, Deadline deadline) throws IOException {
    this.each = each;
    this.deadline = deadline;
    this.owner = Files.getOwner(root, LinkOption.NOFOLLOW_LINKS);
  }

  /// Visits the entries.
  interface Each {
    /// A folder; false leaves out what is in it.
    boolean folder(String path, PosixFileAttributes attributes) throws IOException, TakingFailed;

    /// A regular file of the workspace's owner. Its content may be read until this returns.
    void file(String path, PosixFileAttributes attributes, Content content)
        throws IOException, TakingFailed;

    void link(String path, String target) throws IOException, TakingFailed;

    /// Something that cannot be taken. Of a folder, nothing in it is visited.
    void leftOut(String path, LeftOut.Reason reason);
  }

  /// The content of a file, as often as it is opened.
  interface Content {
    InputStream open() throws IOException;
  }

  /// Visits everything once.
  ///
  /// @throws TakingFailed if there is too much of it, or the time is over
  static void walk(Path root, Deadline deadline, Each each) throws IOException, TakingFailed {
    WorkspaceWalk walk = new WorkspaceWalk(root, each, deadline);
    try (Pinned top = Pinned.at(root)) {
      walk.entries(top, "", 1);
    }
  }

  private void entries(Pinned folder, String prefix, int depth) throws IOException, TakingFailed {
    for (Path name : names(folder, Bounds.bytes(prefix))) {
      deadline.check();
      String path = prefix + name;
      if (!isText(name) || Bounds.bytes(path) > ChangeBounds.PATH_BYTES_MAX) {
        each.leftOut(path, LeftOut.Reason.NAME);
      } else {
        entry(folder, name, path, depth);
      }
    }
  }

  private List<Path> names(Pinned folder, int prefixBytes) throws IOException, TakingFailed {
    List<Path> names = new ArrayList<>();
    try (DirectoryStream<Path> within = opened(folder, Files::newDirectoryStream)) {
      for (Path entry : within) {
        deadline.check();
        Path name = entry.getFileName();
        pathBytes += prefixBytes + Bounds.bytes(name.toString());
        if (++entries > ChangeBounds.ENTRIES_MAX || pathBytes > ChangeBounds.PATHS_BYTES_MAX) {
          throw new TakingFailed("its folder has too many files");
        }
        names.add(name);
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    names.sort(Comparator.comparing(Path::toString));
    return names;
  }

  private void entry(Pinned folder, Path name, String path, int depth)
      throws IOException, TakingFailed {
    Pinned held;
    try {
      held = folder.in(name);
    } catch (IOException _) {
      each.leftOut(path, LeftOut.Reason.UNREADABLE);
      return;
    }
    try (held) {
      PosixFileAttributes attributes = Files.readAttributes(held.path(), PosixFileAttributes.class);
      if (attributes.isSymbolicLink()) {
        link(folder, name, path);
      } else if (attributes.isDirectory()) {
        directory(held, path, attributes, depth);
      } else if (!attributes.isRegularFile()) {
        each.leftOut(path, LeftOut.Reason.SPECIAL);
      } else if (!attributes.owner().equals(owner)) {
        each.leftOut(path, LeftOut.Reason.FOREIGN);
      } else {
        each.file(path, attributes, () -> opened(held, Files::newInputStream));
      }
    }
  }

  private void directory(Pinned held, String path, PosixFileAttributes attributes, int depth)
      throws IOException, TakingFailed {
    if (depth >= ChangeBounds.DEPTH_MAX) {
      each.leftOut(path, LeftOut.Reason.DEPTH);
      return;
    }
    if (!each.folder(path, attributes)) {
      return;
    }
    try (DirectoryStream<Path> _ = opened(held, Files::newDirectoryStream)) {
      // It can be read.
    } catch (IOException _) {
      each.leftOut(path, LeftOut.Reason.UNREADABLE);
      return;
    }
    entries(held, path + "/", depth + 1);
  }

  /// A link is read by its name within its folder, because there is no other way; all that this
  /// could give away is the text of another link.
  private void link(Pinned folder, Path name, String path) throws IOException, TakingFailed {
    Path target = Files.readSymbolicLink(folder.path().resolve(name));
    if (isText(target)) {
      each.link(path, target.toString());
    } else {
      each.leftOut(path, LeftOut.Reason.NAME);
    }
  }

  /// Opens something.
  @FunctionalInterface
  private interface Opening<T> {
    T open(Path path) throws IOException;
  }

  /// Opens what its owner may not read, too, after having changed that.
  private static <T> T opened(Pinned held, Opening<T> opening) throws IOException {
    try {
      return opening.open(held.path());
    } catch (AccessDeniedException _) {
      Files.setPosixFilePermissions(held.path(), ENTER);
      return opening.open(held.path());
    }
  }

  /// True for a path that survives conversion to text; others have bytes that are not characters.
  private static boolean isText(Path path) {
    return Path.of(path.toString()).equals(path);
  }
}
