package dev.runyard.cli.folder;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Makes folders what they were before a patch, through no link. A step that fails keeps no other
/// from being made.
///
/// @param before the same folders, as they were
record Undoing(Path folder, Path before, List<String> made, List<IOException> failures) {
  /// A part of it.
  @FunctionalInterface
  interface Part {
    void make() throws IOException;
  }

  Undoing(Path folder, Path before) {
    this(folder, before, new ArrayList<>(), new ArrayList<>());
  }

  void step(Part part) {
    try {
      part.make();
    } catch (IOException e) {
      failures.add(e);
    }
  }

  /// Why not everything is as it was.
  Optional<String> failed() {
    return failures.stream().findFirst().map(IOException::toString);
  }

  /// The link that a path leads through.
  Optional<Path> behindALink(String path) {
    Path file = folder;
    for (Path name : Path.of(path)) {
      if (!file.equals(folder) && Files.isSymbolicLink(file)) {
        return Optional.of(file);
      }
      file = file.resolve(name);
    }
    return Optional.empty();
  }

  /// Removes one that was none, unless somebody else has put something into it.
  void removeFolder(String path) throws IOException {
    if (isFolder(folder.resolve(path))
        && !isFolder(before.resolve(path))
        && behindALink(path).isEmpty()) {
      try {
        Files.delete(folder.resolve(path));
      } catch (DirectoryNotEmptyException e) {
        if (Files.exists(before.resolve(path), LinkOption.NOFOLLOW_LINKS)) {
          throw e;
        }
      }
    }
  }

  /// Makes one that was one.
  void makeFolder(String path) throws IOException {
    Path file = folder.resolve(path);
    if (!isFolder(before.resolve(path)) || isFolder(file)) {
      return;
    }
    Optional<Path> link = behindALink(path);
    if (link.isPresent()) {
      throw new IOException(link.get() + " is a link now");
    }
    Files.createDirectory(file);
    made.add(path);
  }

  /// Gives those that it made the modes they had, when everything is in them.
  void modes() {
    for (String path : made.reversed()) {
      step(
          () ->
              Files.setPosixFilePermissions(
                  folder.resolve(path), Files.getPosixFilePermissions(before.resolve(path))));
    }
  }

  private static boolean isFolder(Path path) {
    return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
  }
}
