package dev.runyard.runner.kept;

import dev.runyard.runner.workspace.OwnFiles;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.function.Predicate;

/// Walks a folder within bounds. Links are listed and not followed; sockets, pipes and devices are
/// left out, because they belong to processes that have ended.
public final class FileTree extends SimpleFileVisitor<Path> {
  /// Visits each entry, folders before their contents.
  public interface Each {
    /// The next one.
    ///
    /// @param name relative to the folder
    void entry(String name, Path path, BasicFileAttributes attributes) throws IOException;
  }

  private final Path root;
  private final long bytesMax;
  private final int entriesMax;
  private final Predicate<String> left;
  private final Each each;
  private long bytes;
  private int entries;

  private FileTree(Path root, long bytesMax, int entriesMax, Predicate<String> left, Each each) {
    this.root = root;
    this.bytesMax = bytesMax;
    this.entriesMax = entriesMax;
    this.left = left;
    this.each = each;
  }

  /// Walks all of it once.
  ///
  /// @throws IOException also if there is more than the bounds allow, something unreadable, or a
  ///   name that cannot be stored as text
  public static void walk(Path root, long bytesMax, int entriesMax, Each each) throws IOException {
    walk(root, bytesMax, entriesMax, _ -> false, each);
  }

  /// Walks all of it once, but for some entries.
  ///
  /// @param left true for a name that is passed over with what is in it
  static void walk(Path root, long bytesMax, int entriesMax, Predicate<String> left, Each each)
      throws IOException {
    Files.walkFileTree(root, new FileTree(root, bytesMax, entriesMax, left, each));
  }

  @Override
  public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
      throws IOException {
    if (!folder.equals(root)) {
      if (isLeft(folder)) {
        return FileVisitResult.SKIP_SUBTREE;
      }
      entry(folder, attributes);
    }
    return FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
    if (isLeft(file)) {
      return FileVisitResult.CONTINUE;
    }
    if (attributes.isRegularFile()) {
      bytes += attributes.size();
      if (!OwnFiles.owns(root, file) || !Files.isReadable(file)) {
        throw new IOException("a file cannot be read");
      }
    }
    if (attributes.isSymbolicLink() && !written(Files.readSymbolicLink(file))) {
      throw new IOException("a link's target cannot be written down");
    }
    if (!attributes.isOther()) {
      entry(file, attributes);
    }
    return FileVisitResult.CONTINUE;
  }

  private boolean isLeft(Path path) {
    return left.test(root.relativize(path).toString());
  }

  private void entry(Path path, BasicFileAttributes attributes) throws IOException {
    if (++entries > entriesMax || bytes > bytesMax) {
      throw new IOException("the folder is too large");
    }
    String name = root.relativize(path).toString();
    if (!written(path)) {
      throw new IOException("a name cannot be written down");
    }
    each.entry(name, path, attributes);
  }

  /// True for a path that survives conversion to text; others have bytes that are not characters.
  private static boolean written(Path path) {
    return Path.of(path.toString()).equals(path);
  }
}
