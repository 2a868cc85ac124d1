package dev.runyard.runner.isolation;

import dev.runyard.runner.files.FileFacts;
import dev.runyard.runner.files.FolderWalk;
import dev.runyard.runner.files.Pinned;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Gives all that is one user's in a folder to another.
///
/// An attempt may have opened a folder to others and handed them a descriptor of it, so others may
/// still change what is in it, whatever folders above say. So each entry is held before it is
/// given, and no path is followed.
record Handover(int from, int to) implements FolderWalk.Each {
  private static final int OTHERS_WRITE = 0x12;

  /// Gives what is the runner's to a user.
  static void to(AgentUser user, Path folder) throws IOException {
    try (Pinned held = Pinned.at(folder)) {
      new Handover(AgentUser.ROOT, user.uid()).all(held);
    }
  }

  /// Gives what is a user's to the runner. Folders come first, and names of others' files are gone
  /// before any file is given: one with two names would seem to be somebody else's after the first.
  static void from(AgentUser user, Path folder) throws IOException {
    try (Pinned held = Pinned.at(folder)) {
      new Closing(user).all(held);
      new Handover(user.uid(), AgentUser.ROOT).all(held);
    }
  }

  private void all(Pinned folder) throws IOException {
    FileFacts facts = folder.facts();
    give(folder, facts);
    if (facts.isFolder()) {
      FolderWalk.walk(folder, Integer.MAX_VALUE, this);
    }
  }

  @Override
  public boolean folder(FolderWalk.Entry entry) throws IOException {
    give(entry.held(), entry.facts());
    return true;
  }

  @Override
  public void other(FolderWalk.Entry entry) throws IOException {
    give(entry.held(), entry.facts());
  }

  private void give(Pinned held, FileFacts facts) throws IOException {
    if (facts.uid() == from) {
      held.give(to);
    }
  }

  /// Makes folders the runner's and closes them to all others before their names are read: from
  /// then on these stay what they were, until the folder is given to the next user.
  ///
  /// @param user who had them
  record Closing(AgentUser user) implements FolderWalk.Each {
    private void all(Pinned folder) throws IOException {
      if (folder.facts().isFolder()) {
        close(folder);
        FolderWalk.walk(folder, Integer.MAX_VALUE, this);
      }
    }

    @Override
    public boolean folder(FolderWalk.Entry entry) throws IOException {
      close(entry.held());
      return true;
    }

    @Override
    public void other(FolderWalk.Entry entry) throws IOException {
      if (isForeign(entry.facts())) {
        entry.remove();
      }
    }

    /// A file of root that has no other name was the runner's before, and not given in time.
    private boolean isForeign(FileFacts facts) {
      return facts.uid() != user.uid() && (facts.names() > 1 || facts.uid() != AgentUser.ROOT);
    }

    /// Closed only once it is the runner's, since its owner could open it again. Users that an
    /// access control list names lose their rights with the group.
    private static void close(Pinned folder) throws IOException {
      folder.give(AgentUser.ROOT);
      int mode = folder.facts().mode();
      if ((mode & OTHERS_WRITE) != 0) {
        Files.setAttribute(folder.path(), "unix:mode", mode & ~OTHERS_WRITE);
      }
    }
  }
}
