package dev.runyard.runner.change;

import dev.runyard.core.change.ChangeBounds;
import dev.runyard.core.change.LeftOut;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
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
/// Each step names a file within an open folder and never follows a link, so nothing outside is
/// opened even if a process were left that puts links in the way. Pipes, sockets and devices are
/// not opened at all.
final class WorkspaceWalk {
  private static final Set<PosixFilePermission> ENTER =
      EnumSet.of(
          PosixFilePermission.OWNER_READ,
          PosixFilePermission.OWNER_WRITE,
          PosixFilePermission.OWNER_EXECUTE);

  private final Path root;
  private final Each each;
  private final Deadline deadline;
  private final UserPrincipal owner;
  private int entries;

  private WorkspaceWalk(Path root, Each each, Deadline deadline) throws IOException {
    this.root = root;
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
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(root)) {
      if (!(stream instanceof SecureDirectoryStream<Path> top)) {
        throw new IOException("this file system cannot be read without following links");
      }
      walk.entries(top, "", 1);
    }
  }

  private void entries(SecureDirectoryStream<Path> folder, String prefix, int depth)
      throws IOException, TakingFailed {
    List<Path> names = new ArrayList<>();
    try {
      for (Path entry : folder) {
        deadline.check();
        if (++entries > ChangeBounds.ENTRIES_MAX) {
          throw new TakingFailed("its folder has too many files");
        }
        names.add(entry.getFileName());
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    names.sort(Comparator.comparing(Path::toString));
    for (Path name : names) {
      deadline.check();
      String path = prefix + name;
      if (!isText(name)
          || path.getBytes(StandardCharsets.UTF_8).length > ChangeBounds.PATH_BYTES_MAX) {
        each.leftOut(path, LeftOut.Reason.NAME);
      } else {
        entry(folder, name, path, depth);
      }
    }
  }

  private void entry(SecureDirectoryStream<Path> folder, Path name, String path, int depth)
      throws IOException, TakingFailed {
    PosixFileAttributes attributes;
    try {
      attributes = view(folder, name).readAttributes();
    } catch (IOException _) {
      each.leftOut(path, LeftOut.Reason.UNREADABLE);
      return;
    }
    if (attributes.isSymbolicLink()) {
      link(path);
    } else if (attributes.isDirectory()) {
      directory(folder, name, path, attributes, depth);
    } else if (!attributes.isRegularFile()) {
      each.leftOut(path, LeftOut.Reason.SPECIAL);
    } else if (!attributes.owner().equals(owner)) {
      each.leftOut(path, LeftOut.Reason.FOREIGN);
    } else {
      each.file(path, attributes, () -> open(folder, name));
    }
  }

  private void directory(
      SecureDirectoryStream<Path> folder,
      Path name,
      String path,
      PosixFileAttributes attributes,
      int depth)
      throws IOException, TakingFailed {
    if (depth >= ChangeBounds.DEPTH_MAX) {
      each.leftOut(path, LeftOut.Reason.DEPTH);
      return;
    }
    if (!each.folder(path, attributes)) {
      return;
    }
    SecureDirectoryStream<Path> inside;
    try {
      inside = enter(folder, name);
    } catch (IOException _) {
      each.leftOut(path, LeftOut.Reason.UNREADABLE);
      return;
    }
    try (inside) {
      entries(inside, path + "/", depth + 1);
    }
  }

  /// A link is read by its whole path, because there is no other way; all that this could give away
  /// is the text of another link.
  private void link(String path) throws IOException, TakingFailed {
    Path target = Files.readSymbolicLink(root.resolve(path));
    if (isText(target)) {
      each.link(path, target.toString());
    } else {
      each.leftOut(path, LeftOut.Reason.NAME);
    }
  }

  /// A folder that its owner may not enter is opened up first.
  private static SecureDirectoryStream<Path> enter(SecureDirectoryStream<Path> folder, Path name)
      throws IOException {
    try {
      return folder.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS);
    } catch (AccessDeniedException _) {
      unlock(folder, name);
      return folder.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS);
    }
  }

  private static InputStream open(SecureDirectoryStream<Path> folder, Path name)
      throws IOException {
    Set<OpenOption> reading = Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
    try {
      return Channels.newInputStream(folder.newByteChannel(name, reading));
    } catch (AccessDeniedException _) {
      unlock(folder, name);
      return Channels.newInputStream(folder.newByteChannel(name, reading));
    }
  }

  /// The system cannot open what its owner may not read, so this is done by name; it was no link a
  /// moment ago, and a runner that is refused may not do more than the agent.
  private static void unlock(SecureDirectoryStream<Path> folder, Path name) throws IOException {
    folder.getFileAttributeView(name, PosixFileAttributeView.class).setPermissions(ENTER);
  }

  private static PosixFileAttributeView view(SecureDirectoryStream<Path> folder, Path name) {
    return folder.getFileAttributeView(
        name, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
  }

  /// True for a path that survives conversion to text; others have bytes that are not characters.
  private static boolean isText(Path path) {
    return Path.of(path.toString()).equals(path);
  }
}
