package dev.runyard.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// The folder that a person named for downloads. Names come from an agent: none leads out of it,
/// through a link in it, or over a file that is there.
record DownloadFolder(Path root) {
  /// What became of a file.
  sealed interface Saved {
    record To(Path file) implements Saved {}

    /// Nothing was written.
    ///
    /// @param reason for people
    record Refused(String reason) implements Saved {}
  }

  Saved save(String name, byte[] content) throws IOException {
    Path relative;
    try {
      relative = Path.of(name);
    } catch (InvalidPathException _) {
      return new Saved.Refused("its name is none here");
    }
    if (relative.isAbsolute() || name.isEmpty() || name.endsWith("/")) {
      return new Saved.Refused("its name is no path inside of the folder");
    }
    Files.createDirectories(root);
    Path at = root.toRealPath();
    for (int i = 0; i < relative.getNameCount(); i++) {
      String part = relative.getName(i).toString();
      if (part.isEmpty() || part.equals(".") || part.equals("..")) {
        return new Saved.Refused("its name leads out of the folder");
      }
      at = at.resolve(part);
      boolean last = i == relative.getNameCount() - 1;
      if (!last && !Files.isDirectory(at, LinkOption.NOFOLLOW_LINKS)) {
        if (Files.exists(at, LinkOption.NOFOLLOW_LINKS)) {
          return new Saved.Refused("something that is no folder is in its way");
        }
        Files.createDirectory(at);
      }
    }
    if (Files.exists(at, LinkOption.NOFOLLOW_LINKS)) {
      return new Saved.Refused("there is such a file already");
    }
    Files.write(at, content, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    return new Saved.To(at);
  }
}
