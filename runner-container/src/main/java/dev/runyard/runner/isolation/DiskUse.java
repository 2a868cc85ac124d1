package dev.runyard.runner.isolation;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;

/// How much is in some folders; links are counted, not followed. Whatever disappears meanwhile, or
/// cannot be read, is not counted; a folder so deep that it has no path counts as too many. It
/// stops counting above the bounds.
///
/// One folder is open at a time, however deep an agent nests them: descriptors are the runner's.
record DiskUse(long bytes, long entries) {
  static DiskUse of(List<Path> folders, long bytesMax, long entriesMax) {
    Count count = new Count(bytesMax, entriesMax);
    for (Path folder : folders) {
      count.add(folder);
      while (!count.over() && !count.waiting.isEmpty()) {
        count.read(count.waiting.removeLast());
      }
    }
    return new DiskUse(count.bytes, count.entries);
  }

  private static final class Count {
    private final long bytesMax;
    private final long entriesMax;
    private final Deque<Path> waiting = new ArrayDeque<>();
    private long bytes;
    private long entries;

    Count(long bytesMax, long entriesMax) {
      this.bytesMax = bytesMax;
      this.entriesMax = entriesMax;
    }

    boolean over() {
      return bytes > bytesMax || entries > entriesMax || Thread.currentThread().isInterrupted();
    }

    void read(Path folder) {
      try (DirectoryStream<Path> within = Files.newDirectoryStream(folder)) {
        for (Path entry : within) {
          add(entry);
          if (over()) {
            return;
          }
        }
      } catch (IOException e) {
        failed(e);
      } catch (DirectoryIteratorException e) {
        failed(Objects.requireNonNull(e.getCause()));
      }
    }

    void add(Path entry) {
      try {
        BasicFileAttributes attributes =
            Files.readAttributes(entry, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        entries++;
        bytes += attributes.isRegularFile() ? Allocation.bytes(entry, attributes.size()) : 0;
        if (attributes.isDirectory()) {
          waiting.add(entry);
        }
      } catch (IOException e) {
        failed(e);
      }
    }

    private void failed(IOException e) {
      boolean gone =
          e instanceof NoSuchFileException
              || e instanceof NotDirectoryException
              || e instanceof AccessDeniedException;
      entries += gone ? 0 : entriesMax + 1;
    }
  }
}
