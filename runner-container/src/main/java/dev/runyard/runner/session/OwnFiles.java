package dev.runyard.runner.session;

import dev.runyard.runner.files.FileFacts;
import dev.runyard.runner.files.FolderWalk;
import dev.runyard.runner.files.Pinned;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/// What an agent made in its home, and not what it only put a link to: the runner may read more
/// than the agent, so it must not read through a link on the agent's behalf. An agent may have
/// opened its folders to another attempt, which may still exchange what is in them. So a file is
/// held before anything is asked about it, and what is read is what was asked about.
///
/// @param home a folder of the agent, whose own name only the runner may change
/// @param depthMax folders within folders in which files are looked for
/// @param each takes the files
record OwnFiles(FileFacts home, int depthMax, Each each) {
  /// Takes the files.
  @FunctionalInterface
  interface Each {
    /// A regular file of the home's owner: a hard link may give a file of somebody else another
    /// name.
    ///
    /// @param name the path below the home
    /// @param held while this is called
    void file(String name, FileFacts facts, Pinned held) throws IOException;
  }

  /// Visits all files in these folders and files below a home; those that are not there have none,
  /// and neither have those to which a link leads.
  static void below(Path home, List<Path> kept, int depthMax, Each each) throws IOException {
    try (Pinned held = Pinned.at(home)) {
      OwnFiles files = new OwnFiles(held.facts(), depthMax, each);
      for (Path path : kept) {
        files.reach(held, Path.of(""), path);
      }
    }
  }

  /// Goes down to a path, one step within the other.
  private void reach(Pinned folder, Path above, Path path) throws IOException {
    Path name = path.getName(0);
    Path at = above.resolve(name);
    Pinned next;
    try {
      next = folder.in(name);
    } catch (NoSuchFileException _) {
      return;
    }
    try (next) {
      FileFacts facts = next.facts();
      if (path.getNameCount() > 1) {
        if (facts.isFolder()) {
          reach(next, at, path.subpath(1, path.getNameCount()));
        }
      } else if (facts.isFolder()) {
        FolderWalk.walk(next, Integer.MAX_VALUE, new Within(at));
      } else {
        take(at, facts, next);
      }
    }
  }

  private void take(Path path, FileFacts facts, Pinned held) throws IOException {
    if (facts.isFile() && facts.uid() == home.uid()) {
      each.file(path.toString(), facts, held);
    }
  }

  /// What is in a folder.
  private final class Within implements FolderWalk.Each {
    private final Path above;

    Within(Path above) {
      this.above = above;
    }

    @Override
    public boolean folder(FolderWalk.Entry entry) {
      return entry.depth() < depthMax;
    }

    @Override
    public void other(FolderWalk.Entry entry) throws IOException {
      take(above.resolve(entry.path()), entry.facts(), entry.held());
    }
  }
}
