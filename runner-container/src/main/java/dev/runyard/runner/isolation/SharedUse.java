package dev.runyard.runner.isolation;

import dev.runyard.runner.files.FileFacts;
import dev.runyard.runner.files.Pinned;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// How much a user of attempts has where every user may write. What others have there is passed
/// over, and how much of it is bounded; a folder of its own that is too deep to be searched counts
/// as too many. Whatever disappears meanwhile is not counted. It stops counting above the bounds.
///
/// Others may exchange what is there, to have their own or another attempt's files counted for this
/// user. So each step is taken within a held folder, and no link is followed.
final class SharedUse {
  private static final int OTHERS_WRITE = 0x2;

  private final int uid;
  private final long bytesMax;
  private final long entriesMax;
  private long bytes;
  private long entries;
  private int ofOthers;

  private SharedUse(int uid, DiskUse before, long bytesMax, long entriesMax) {
    this.uid = uid;
    this.bytesMax = bytesMax;
    this.entriesMax = entriesMax;
    this.bytes = before.bytes();
    this.entries = before.entries();
  }

  /// @param before what it has elsewhere, which is in the sum
  static DiskUse add(
      DiskUse before, int uid, SharedRemains shared, long bytesMax, long entriesMax) {
    SharedUse use = new SharedUse(uid, before, bytesMax, entriesMax);
    for (Path place : shared.places()) {
      try (Pinned held = Pinned.at(place.toRealPath())) {
        use.search(held, 1);
      } catch (IOException _) {
        // Not every machine has each.
      }
    }
    return new DiskUse(use.bytes, use.entries);
  }

  private boolean isOver() {
    return bytes > bytesMax
        || entries > entriesMax
        || ofOthers > SharedRemains.WHOLE_ENTRIES_MAX
        || Thread.currentThread().isInterrupted();
  }

  private void search(Pinned folder, int depth) throws IOException {
    List<Path> open = new ArrayList<>();
    try (DirectoryStream<Path> within = Files.newDirectoryStream(folder.path())) {
      for (Path entry : within) {
        if (isOver()) {
          return;
        }
        look(folder, entry.getFileName(), depth, open);
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    for (Path name : open) {
      try (Pinned inner = folder.in(name)) {
        search(inner, depth + 1);
      } catch (IOException _) {
        // It has gone, or is no folder any more.
      }
    }
  }

  /// @param open the folders that are to be searched
  private void look(Pinned folder, Path name, int depth, List<Path> open) {
    try (Pinned held = folder.in(name)) {
      FileFacts facts = held.facts();
      boolean own = facts.uid() == uid;
      if (own) {
        entries++;
        bytes += facts.isFile() ? Allocation.bytes(folder.path().resolve(name), facts.bytes()) : 0;
      } else {
        ofOthers++;
      }
      if (!facts.isFolder()) {
        return;
      }
      if (depth < SharedRemains.DEPTH_MAX) {
        if (SharedRemains.isOfAttempts(facts.uid()) || (facts.mode() & OTHERS_WRITE) != 0) {
          open.add(name);
        }
      } else if (own) {
        entries += entriesMax + 1;
      }
    } catch (IOException _) {
      // It has gone.
    }
  }
}
