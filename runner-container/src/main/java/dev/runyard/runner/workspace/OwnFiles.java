package dev.runyard.runner.workspace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/// Tells what an agent made in its folders from what it only put a link to. The runner may read
/// more than the agent, so it must not read through a link on the agent's behalf. For folders in
/// which no process of the agent is left.
public final class OwnFiles {
  private OwnFiles() {}

  /// True for a file of the folder's owner. A hard link may give a file of somebody else another
  /// name.
  public static boolean owns(Path folder, Path file) throws IOException {
    return owner(folder).equals(owner(file));
  }

  /// True when no folder on the way from the root to the path is a symbolic link.
  public static boolean reaches(Path root, Path relative) {
    Path at = root;
    for (Path name : relative) {
      at = at.resolve(name);
      if (Files.isSymbolicLink(at)) {
        return false;
      }
    }
    return true;
  }

  private static Object owner(Path path) throws IOException {
    return Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS);
  }
}
