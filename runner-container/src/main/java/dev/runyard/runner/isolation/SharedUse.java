package dev.runyard.runner.isolation;

import dev.runyard.runner.files.FileFacts;
import dev.runyard.runner.files.Pinned;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;

/// How much a user of attempts has where every user may write. What others have there is passed
/// over, and how much of it is bounded; a folder of its own that is too deep to be searched counts
/// as too many. Whatever disappears meanwhile is not counted. It stops counting above the bounds.
///
/// Others may exchange what is there, to have their own or another attempt's files counted for this
/// user. So each step is taken within a held folder, and no link is followed. Where
/// `fs.protected_hardlinks` is 0, they may also give its files further names, so a file counts once
/// outside its own folders, in which it decides who may write. That ends where such names are so
/// many that nobody could look at all there is: the user itself may have given them, so that the
/// rest is never counted. Elsewhere each name counts. Only of a file that all may write could
/// others have given it, and who has one may have its disk filled by them anyway.
final class SharedUse {
  private static final int OTHERS_WRITE = 0x2;
  private static final boolean LINKS_PROTECTED =
      linksProtected(Path.of("/proc/sys/fs/protected_hardlinks"));

  private static final long SEED = new SecureRandom().nextLong();

  private final int uid;
  private final boolean linksProtected;
  private final DiskBounds bounds;
  private final SeenFiles seen = new SeenFiles(SEED);
  private long bytes;
  private long entries;
  private long ownNames;
  private int ofOthers;
  private int furtherNames;
  private long ownNanos;
  private long othersNanos;
  private long lastNanos;

  private SharedUse(int uid, boolean linksProtected, DiskUse before, DiskBounds bounds) {
    this.uid = uid;
    this.linksProtected = linksProtected;
    this.bounds = bounds;
    this.bytes = before.bytes();
    this.entries = before.entries();
    this.ownNames = before.entries();
    this.lastNanos = bounds.nanoTime().getAsLong();
  }

  /// @param before what it has elsewhere, which is in the sum
  static DiskUse add(DiskUse before, int uid, SharedRemains shared, DiskBounds bounds) {
    return add(before, uid, shared, bounds, LINKS_PROTECTED);
  }

  /// @param linksProtected whether a user can only give names to files that it may read and write
  static DiskUse add(
      DiskUse before, int uid, SharedRemains shared, DiskBounds bounds, boolean linksProtected) {
    SharedUse use = new SharedUse(uid, linksProtected, before, bounds);
    for (Path place : shared.places()) {
      try (Pinned held = Pinned.at(place.toRealPath())) {
        use.search(held, held.facts(), 1);
      } catch (IOException _) {
        // Not every machine has each.
      }
    }
    return new DiskUse(use.bytes, Math.max(use.entries, use.ownNames));
  }

  /// Each folder on the way is held and being read, of which there are few, so that no name waits.
  private void search(Pinned folder, FileFacts facts, int depth) throws IOException {
    boolean own = facts.uid() == uid;
    try (DirectoryStream<Path> within = Files.newDirectoryStream(folder.path())) {
      for (Path entry : within) {
        took(own);
        if (isOver()) {
          return;
        }
        ownNames += own ? 1 : 0;
        look(folder, entry.getFileName(), own, depth);
      }
      took(own);
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
  }

  /// @param named whether the name counts already
  private void look(Pinned folder, Path name, boolean named, int depth) {
    try {
      FileFacts facts = folder.facts(name);
      boolean own = facts.uid() == uid;
      if (!own) {
        ofOthers++;
      } else if (facts.isFolder() || seen.add(facts)) {
        entries++;
        bytes += facts.taken();
      } else if (!named) {
        furtherName();
      }
      if (!facts.isFolder()) {
        return;
      }
      if (depth >= SharedRemains.DEPTH_MAX) {
        if (own) {
          tooMany();
        }
      } else if (SharedRemains.isOfAttempts(facts.uid()) || (facts.mode() & OTHERS_WRITE) != 0) {
        enter(folder, name, depth + 1);
      }
    } catch (IOException _) {
      // It has gone.
    }
  }

  private void enter(Pinned folder, Path name, int depth) throws IOException {
    try (Pinned inner = folder.in(name)) {
      FileFacts facts = inner.facts();
      if (facts.isFolder()) {
        search(inner, facts, depth);
      }
    }
  }

  /// Notes for whom the time since the last note was.
  private void took(boolean own) {
    long now = bounds.nanoTime().getAsLong();
    if (own) {
      ownNanos += now - lastNanos;
    } else {
      othersNanos += now - lastNanos;
    }
    lastNanos = now;
    if (bounds.isTooLong(ownNanos)) {
      tooMany();
    }
  }

  private void furtherName() {
    if (linksProtected) {
      entries++;
    } else if (++furtherNames > bounds.others()) {
      tooMany();
    }
  }

  private void tooMany() {
    entries += bounds.entries() + 1;
  }

  /// True if the system says so; false where it says nothing.
  private static boolean linksProtected(Path setting) {
    try {
      return !Files.readString(setting).strip().equals("0");
    } catch (IOException _) {
      return false;
    }
  }

  private boolean isOver() {
    return bytes > bounds.bytes()
        || Math.max(entries, ownNames) > bounds.entries()
        || ofOthers > bounds.others()
        || bounds.isTooLong(othersNanos)
        || Thread.currentThread().isInterrupted();
  }
}
