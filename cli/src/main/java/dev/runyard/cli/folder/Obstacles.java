package dev.runyard.cli.folder;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// What is in the way of a patch though git's check passes: entries of a folder that becomes a
/// file, and a file that becomes a folder. Git notices when the old files are gone.
///
/// @param touched every path of the patch
record Obstacles(Path folder, NavigableSet<String> touched) {
  /// Those that the patch does not remove.
  NavigableSet<String> found() throws IOException {
    NavigableSet<String> found = new TreeSet<>();
    for (String path : touched) {
      Path file = folder.resolve(path);
      if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
        within(file, found);
      }
      above(path, found);
    }
    return found;
  }

  private void above(String path, Set<String> found) {
    for (int at = path.indexOf('/'); at > 0; at = path.indexOf('/', at + 1)) {
      String up = path.substring(0, at);
      Path file = folder.resolve(up);
      if (!touched.contains(up)
          && Files.exists(file, LinkOption.NOFOLLOW_LINKS)
          && !Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
        found.add(up);
      }
    }
  }

  /// Git removes a folder when it has removed the last file in it, and no other.
  private void within(Path top, Set<String> found) throws IOException {
    Files.walkFileTree(
        top,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            String path = path(file);
            if (!touched.contains(path)) {
              found.add(path);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException failure) {
            found.add(path(file));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path file, @Nullable IOException failure)
              throws IOException {
            try (var entries = Files.newDirectoryStream(file)) {
              if (!file.equals(top) && !entries.iterator().hasNext()) {
                found.add(path(file));
              }
            }
            return FileVisitResult.CONTINUE;
          }
        });
  }

  private String path(Path file) {
    return folder.relativize(file).toString();
  }
}
