package dev.runyard.runner.kept;

import dev.runyard.core.change.ChangeBounds;
import dev.runyard.runner.files.FileFacts;
import dev.runyard.runner.files.FolderWalk;
import dev.runyard.runner.files.PathBytes;
import dev.runyard.runner.files.Pinned;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Predicate;

/// Walks a folder within bounds. Links are listed and not followed; sockets, pipes and devices are
/// left out, because they belong to processes that have ended. Others may still exchange what is in
/// the folder, if its agent let them: what is visited is held, and is what was checked.
final class FileTree implements FolderWalk.Each {
  /// Visits each entry, folders before their contents.
  interface Each {
    /// The next one, held while this is called.
    ///
    /// @param name relative to the folder
    void entry(String name, FolderWalk.Entry entry) throws IOException;
  }

  /// Most bytes of a path that the system takes (`PATH_MAX` of `limits.h`, less its end).
  private static final int SYSTEM_PATH_BYTES_MAX = 4095;

  private final FileFacts root;
  private final FileBounds bounds;
  private final int pathBytesMax;
  private final Predicate<String> left;
  private final Each each;
  private long bytes;
  private long textBytes;
  private int entries;

  private FileTree(
      FileFacts root, FileBounds bounds, int pathBytesMax, Predicate<String> left, Each each) {
    this.root = root;
    this.bounds = bounds;
    this.pathBytesMax = pathBytesMax;
    this.left = left;
    this.each = each;
  }

  /// Walks all of it once, but for some entries.
  ///
  /// @param root its own name only the runner may change
  /// @param left true for a name that is passed over with what is in it
  /// @throws IOException also if there is more than the bounds allow, something unreadable, a name
  ///   that cannot be stored as text, or folders so deep that no path would lead to what is
  ///   restored
  static void walk(Path root, FileBounds bounds, Predicate<String> left, Each each)
      throws IOException {
    try (Pinned held = Pinned.at(root)) {
      // What is passed over, and what is left out, has names too.
      int namesMax = 2 * bounds.entriesMax();
      int pathBytesMax =
          Math.min(
              ChangeBounds.PATH_BYTES_MAX, SYSTEM_PATH_BYTES_MAX - PathBytes.of(root).length - 1);
      FolderWalk.walk(held, namesMax, new FileTree(held.facts(), bounds, pathBytesMax, left, each));
    }
  }

  @Override
  public boolean folder(FolderWalk.Entry entry) throws IOException {
    Path path = entry.path();
    if (left.test(path.toString())) {
      return false;
    }
    entry(path, entry);
    return true;
  }

  @Override
  public void other(FolderWalk.Entry entry) throws IOException {
    Path path = entry.path();
    if (left.test(path.toString())) {
      return;
    }
    switch (entry.facts().kind()) {
      case FILE -> {
        bytes += entry.facts().bytes();
        if (entry.facts().uid() != root.uid() || !Files.isReadable(entry.held().path())) {
          throw new IOException("a file cannot be read");
        }
        entry(path, entry);
      }
      case LINK -> {
        Path target = entry.target();
        if (!written(target)) {
          throw new IOException("a link's target cannot be written down");
        }
        textBytes += PathBytes.of(target).length;
        entry(path, entry);
      }
      case SPECIAL -> {}
      case FOLDER -> throw new IllegalArgumentException("a folder is no other entry");
    }
  }

  private void entry(Path path, FolderWalk.Entry entry) throws IOException {
    int pathBytes = PathBytes.of(path).length;
    textBytes += pathBytes;
    if (++entries > bounds.entriesMax()
        || bytes > bounds.bytesMax()
        || textBytes > ChangeBounds.PATHS_BYTES_MAX) {
      throw new IOException("the folder is too large");
    }
    if (!written(path)) {
      throw new IOException("a name cannot be written down");
    }
    if (pathBytes > pathBytesMax) {
      throw new IOException("a path is too long to be restored");
    }
    each.entry(path.toString(), entry);
  }

  /// True for a path that survives conversion to text; others have bytes that are not characters.
  private static boolean written(Path path) {
    return Path.of(path.toString()).equals(path);
  }
}
