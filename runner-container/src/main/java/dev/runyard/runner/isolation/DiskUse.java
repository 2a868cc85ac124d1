package dev.runyard.runner.isolation;

import java.nio.file.Path;
import java.util.List;

/// How much is in some folders; links are counted, not followed. Whatever disappears meanwhile, or
/// cannot be read, is not counted. Folders so deep that no path leads to them count as too many,
/// and so does what takes too long to count. It stops counting above the bounds.
record DiskUse(long bytes, long entries) {
  static DiskUse of(List<Path> folders, DiskBounds bounds) {
    DiskCount count = new DiskCount(bounds);
    folders.forEach(count::add);
    return count.use();
  }
}
