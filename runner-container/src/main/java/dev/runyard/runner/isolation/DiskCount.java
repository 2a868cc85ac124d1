package dev.runyard.runner.isolation;

import dev.runyard.runner.files.FileFacts;
import dev.runyard.runner.files.PathBytes;
import dev.runyard.runner.files.Pinned;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Counts what is in folders of an attempt, which goes on changing them. Each step is by a name
/// within a held folder, so an entry costs the same however deep it is, and no link is followed. Of
/// an entry nothing is kept but the name of a folder until it is entered, and these are bounded.
///
/// However deep folders are, two are held at a time: descriptors are the runner's. The way back up
/// is the folder's own `..`. If that is another one by now, the way down is gone once more; what
/// waited in a folder that has left this way is not counted.
final class DiskCount {
  /// What a name takes of memory besides its bytes.
  private static final int NAME_BYTES = 64;

  /// Most bytes of a path that the system takes (`PATH_MAX` of `limits.h`, less its end).
  private static final int SYSTEM_PATH_BYTES_MAX = 4095;

  private static final Path UP = Path.of("..");

  private final DiskBounds bounds;
  private final long begin;
  private final List<Level> levels = new ArrayList<>();
  private long bytes;
  private long entries;
  private long waitingBytes;
  private int pathBytes;

  /// A folder that is being counted.
  ///
  /// @param nameBytes what it adds to a path
  /// @param waiting folders in it that are to be entered
  private record Level(Path name, int nameBytes, FileFacts facts, Deque<Path> waiting) {}

  DiskCount(DiskBounds bounds) {
    this.bounds = bounds;
    this.begin = bounds.nanoTime().getAsLong();
  }

  DiskUse use() {
    return new DiskUse(bytes, entries);
  }

  /// Counts a folder and what is in it.
  ///
  /// @param folder its own name only the runner may change
  void add(Path folder) {
    try (Pinned held = Pinned.at(folder)) {
      FileFacts facts = held.facts();
      add(facts);
      if (facts.isFolder()) {
        pathBytes = 0;
        read(held, new Level(folder, PathBytes.of(folder).length, facts, new ArrayDeque<>()));
        within(held);
      }
    } catch (IOException _) {
      // It is not there.
    }
  }

  private void within(Pinned root) {
    Pinned at = root;
    try {
      while (!levels.isEmpty() && !isOver()) {
        Path name = next(levels.getLast());
        Pinned next = name == null ? above(root, at) : below(at, name);
        if (at != root && at != next) {
          at.close();
        }
        at = next;
      }
    } finally {
      if (at != root) {
        at.close();
      }
      leave(0);
    }
  }

  /// Takes the next folder that is to be entered; null after the last.
  private @Nullable Path next(Level level) {
    Path name = level.waiting().pollLast();
    if (name != null) {
      waitingBytes -= PathBytes.of(name).length + NAME_BYTES;
    }
    return name;
  }

  /// Enters a folder and counts what is in it; returns where the count goes on.
  private Pinned below(Pinned at, Path name) {
    try {
      Pinned held = at.in(name);
      try {
        FileFacts facts = held.facts();
        if (facts.isFolder()) {
          read(held, new Level(name, PathBytes.of(name).length + 1, facts, new ArrayDeque<>()));
          return held;
        }
      } catch (IOException _) {
        // Nothing is known of it.
      }
      held.close();
    } catch (IOException _) {
      // It has gone.
    }
    return at;
  }

  private void read(Pinned folder, Level level) {
    levels.add(level);
    pathBytes += level.nameBytes();
    try (DirectoryStream<Path> within = Files.newDirectoryStream(folder.path())) {
      for (Path entry : within) {
        if (isOver()) {
          return;
        }
        look(folder, level, entry);
      }
    } catch (IOException | DirectoryIteratorException _) {
      // The rest of it cannot be read.
    }
  }

  private void look(Pinned folder, Level level, Path entry) {
    Path name = entry.getFileName();
    try {
      FileFacts facts = folder.facts(name);
      add(facts);
      if (facts.isFolder()) {
        int nameBytes = PathBytes.of(name).length;
        waitingBytes += nameBytes + NAME_BYTES;
        // Another object, because this one has its text, too, by now.
        level.waiting().add(entry.getFileName());
        if (pathBytes + 1 + nameBytes > SYSTEM_PATH_BYTES_MAX
            || waitingBytes > bounds.waitingBytes()) {
          tooMany();
        }
      }
    } catch (IOException _) {
      // It has gone.
    }
  }

  private void add(FileFacts facts) {
    entries++;
    bytes += facts.taken();
  }

  private void tooMany() {
    entries += bounds.entries() + 1;
  }

  /// Leaves the deepest folder; returns the one that it is in.
  private Pinned above(Pinned root, Pinned at) {
    leave(levels.size() - 1);
    if (levels.size() <= 1) {
      return root;
    }
    Pinned up = same(at, UP, levels.getLast());
    return up == null ? again(root) : up;
  }

  /// Goes down from the top as far as each folder is where it was.
  private Pinned again(Pinned root) {
    Pinned at = root;
    for (int depth = 1; depth < levels.size(); depth++) {
      Level level = levels.get(depth);
      Pinned next = same(at, level.name(), level);
      if (next == null) {
        leave(depth);
        return at;
      }
      if (at != root) {
        at.close();
      }
      at = next;
    }
    return at;
  }

  /// What a name leads to if that is the folder of a level.
  private static @Nullable Pinned same(Pinned at, Path name, Level level) {
    try {
      Pinned held = at.in(name);
      try {
        if (held.facts().isSame(level.facts())) {
          return held;
        }
      } catch (IOException _) {
        // Nothing is known of it.
      }
      held.close();
    } catch (IOException _) {
      // It has gone.
    }
    return null;
  }

  /// Gives up all folders below so many.
  private void leave(int depth) {
    while (levels.size() > depth) {
      Level level = levels.removeLast();
      pathBytes -= level.nameBytes();
      while (next(level) != null) {
        // Not counted.
      }
    }
  }

  private boolean isOver() {
    if (bounds.isTooLong(bounds.nanoTime().getAsLong() - begin)) {
      tooMany();
    }
    return bytes > bounds.bytes()
        || entries > bounds.entries()
        || Thread.currentThread().isInterrupted();
  }
}
