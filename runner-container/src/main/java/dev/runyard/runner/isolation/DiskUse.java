package dev.runyard.runner.isolation;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How much is in some folders; links are counted, not followed. Whatever disappears meanwhile, or
/// cannot be read, is not counted; a folder so deep that it has no path counts as too many. It
/// stops counting above the bounds.
record DiskUse(long bytes, long entries) {
  static DiskUse of(List<Path> folders, long bytesMax, long entriesMax) {
    Count count = new Count(bytesMax, entriesMax);
    for (Path folder : folders) {
      try {
        Files.walkFileTree(folder, count);
      } catch (IOException _) {
        // Counted as far as it could be.
      }
    }
    return new DiskUse(count.bytes, count.entries);
  }

  private static final class Count extends SimpleFileVisitor<Path> {
    private final long bytesMax;
    private final long entriesMax;
    private long bytes;
    private long entries;

    Count(long bytesMax, long entriesMax) {
      this.bytesMax = bytesMax;
      this.entriesMax = entriesMax;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
      return counted(0, 1);
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      return counted(attributes.isRegularFile() ? attributes.size() : 0, 1);
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) {
      boolean gone = e instanceof NoSuchFileException || e instanceof AccessDeniedException;
      return counted(0, gone ? 0 : entriesMax + 1);
    }

    @Override
    public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException e) {
      return FileVisitResult.CONTINUE;
    }

    private FileVisitResult counted(long size, long more) {
      bytes += size;
      entries += more;
      boolean over = bytes > bytesMax || entries > entriesMax || Thread.interrupted();
      return over ? FileVisitResult.TERMINATE : FileVisitResult.CONTINUE;
    }
  }
}
