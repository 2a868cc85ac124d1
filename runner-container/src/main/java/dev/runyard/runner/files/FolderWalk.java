package dev.runyard.runner.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;

/// Goes through a folder in which somebody may still exchange what is there, folders before what is
/// in them. Each entry is held before anything is asked about it, and each step is taken within a
/// held folder, so no link is followed and nothing outside is reached.
///
/// However deep folders are, two are held at a time. The way back up is the folder's own `..`, and
/// it must be the folder that the way down came from.
public final class FolderWalk {
  private static final Path HERE = Path.of("");
  private static final Path UP = Path.of("..");

  private final Each each;
  private final int namesMax;
  private final List<Level> levels = new ArrayList<>();

  /// The way to the folder whose entries are being visited, as far as somebody has asked for it:
  /// that of a deep one is long, and many walks never ask.
  private Path path = HERE;

  private int pathNames;
  private int names;

  /// A folder whose entries are being visited.
  ///
  /// @param names those to come
  private record Level(Path name, FileFacts facts, Deque<Path> names) {}

  private FolderWalk(Each each, int namesMax) {
    this.each = each;
    this.namesMax = namesMax;
  }

  /// Visits the entries.
  public interface Each {
    /// A folder, before its names are read; false passes over what is in it.
    boolean folder(Entry entry) throws IOException;

    /// Anything else.
    void other(Entry entry) throws IOException;
  }

  /// Visits everything in a folder once.
  ///
  /// @param namesMax in all folders together
  /// @throws IOException also for what cannot be read, has gone, or was moved meanwhile
  public static void walk(Pinned root, int namesMax, Each each) throws IOException {
    new FolderWalk(each, namesMax).walk(root);
  }

  private void walk(Pinned root) throws IOException {
    Pinned at = root;
    try {
      levels.add(level(HERE, root, root.facts()));
      while (!levels.isEmpty()) {
        Pinned next = levels.getLast().names().isEmpty() ? above(at) : below(at);
        if (at != root && next != at) {
          at.close();
        }
        at = next;
      }
    } finally {
      if (at != root) {
        at.close();
      }
    }
  }

  private Level level(Path name, Pinned folder, FileFacts facts) throws IOException {
    List<Path> within = folder.names(namesMax - names);
    names += within.size();
    return new Level(name, facts, new ArrayDeque<>(within));
  }

  /// Visits the next entry of a folder; returns it if what is in it comes next, or else the folder.
  private Pinned below(Pinned folder) throws IOException {
    Path name = levels.getLast().names().removeFirst();
    Pinned held = folder.in(name);
    boolean entered = false;
    try {
      FileFacts facts = held.facts();
      Entry entry = new Entry(folder, name, held, facts);
      if (!facts.isFolder()) {
        each.other(entry);
      } else if (each.folder(entry)) {
        levels.add(level(name, held, facts));
        entered = true;
      }
    } finally {
      if (!entered) {
        held.close();
      }
    }
    return entered ? held : folder;
  }

  /// Leaves a folder whose entries have been visited; returns the one that it is in.
  private Pinned above(Pinned folder) throws IOException {
    levels.removeLast();
    if (levels.isEmpty()) {
      return folder;
    }
    if (pathNames == levels.size()) {
      path = Objects.requireNonNullElse(path.getParent(), HERE);
      pathNames--;
    }
    Pinned up = folder.in(UP);
    try {
      if (!up.facts().isSame(levels.getLast().facts())) {
        throw new IOException("a folder was moved while it was read");
      }
    } catch (IOException e) {
      up.close();
      throw e;
    }
    return up;
  }

  /// Something in the folder; held while it is visited.
  public final class Entry {
    private final Pinned folder;
    private final Path name;
    private final Pinned held;
    private final FileFacts facts;

    private Entry(Pinned folder, Path name, Pinned held, FileFacts facts) {
      this.folder = folder;
      this.name = name;
      this.held = held;
      this.facts = facts;
    }

    public Pinned held() {
      return held;
    }

    public FileFacts facts() {
      return facts;
    }

    /// How many folders it is in, the walk's own among them.
    public int depth() {
      return levels.size();
    }

    /// Its path within the folder.
    public Path path() {
      while (pathNames < levels.size() - 1) {
        path = path.resolve(levels.get(++pathNames).name());
      }
      return path.resolve(name);
    }

    /// Where a link leads. A link is read by its name within its folder, because there is no other
    /// way; all that this could give away is the text of another link that has the name by now.
    public Path target() throws IOException {
      return Files.readSymbolicLink(folder.path().resolve(name));
    }

    /// Removes the name, whatever it leads to by now; for a folder that nobody else may change.
    public void remove() throws IOException {
      Files.delete(folder.path().resolve(name));
    }
  }
}
