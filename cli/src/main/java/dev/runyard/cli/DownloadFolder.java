package dev.runyard.cli;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;

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

  /// Writes a file that does not exist.
  @FunctionalInterface
  interface Content {
    /// Why there is none, for people; empty if all of it is there.
    Optional<String> into(Path file) throws IOException;
  }

  /// Saves a content under a name. Nothing has the name before all of it is there.
  Saved save(String name, Content content) throws IOException {
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
    return saved(at, content);
  }

  private static Saved saved(Path at, Content content) throws IOException {
    Path draft = at.resolveSibling(".runyard-" + UUID.randomUUID() + ".part");
    try {
      Optional<String> failed = content.into(draft);
      if (failed.isPresent()) {
        return new Saved.Refused(failed.get());
      }
      Files.move(draft, at);
      return new Saved.To(at);
    } catch (FileAlreadyExistsException _) {
      return new Saved.Refused("there is such a file already");
    } finally {
      Files.deleteIfExists(draft);
    }
  }
}
