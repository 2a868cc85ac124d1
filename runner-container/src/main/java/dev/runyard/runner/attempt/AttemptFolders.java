package dev.runyard.runner.attempt;

import dev.runyard.runner.log.RunnerLog;
import dev.runyard.runner.workspace.Workspace;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// The folders one attempt has created. They are removed when they are no longer needed, unless
/// they are kept for people. Thread-safe.
final class AttemptFolders {
  private final boolean kept;
  private final RunnerLog log;
  private final List<Workspace> made = new CopyOnWriteArrayList<>();

  AttemptFolders(boolean kept, RunnerLog log) {
    this.kept = kept;
    this.log = log;
  }

  void add(Workspace folder) {
    made.add(folder);
  }

  /// Removes a folder, whose path the next attempt may use from now on.
  void remove(Workspace folder) {
    made.remove(folder);
    clean(folder);
  }

  /// Removes the remaining folders, once no more are created.
  void removeAll() {
    made.forEach(this::clean);
  }

  private void clean(Workspace folder) {
    if (kept) {
      return;
    }
    try {
      folder.clean();
    } catch (IOException e) {
      log.failed("workspace_not_removed", e);
    }
  }
}
