package dev.runyard.runner.attempt;

import dev.runyard.runner.isolation.Cell;
import dev.runyard.runner.log.RunnerLog;
import dev.runyard.runner.workspace.Workspace;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/// The folders one attempt has created, and the cell that has them. They are removed when they are
/// no longer needed, unless they are kept for people. Thread-safe.
final class AttemptFolders {
  private final boolean kept;
  private final RunnerLog log;
  private final List<Workspace> made = new CopyOnWriteArrayList<>();
  private volatile Cell cell = Cell.OPEN;

  AttemptFolders(boolean kept, RunnerLog log) {
    this.kept = kept;
    this.log = log;
  }

  void add(Workspace folder) {
    made.add(folder);
  }

  /// Names the cell that has the folders once a process has started in it.
  Cell enclose(Cell in) {
    cell = in;
    return in;
  }

  /// Removes a folder, whose path the next attempt may use from now on.
  void remove(Workspace folder) {
    made.remove(folder);
    clean(folder);
  }

  /// Removes the remaining folders, once no more are created, and closes the cell.
  void removeAll() {
    made.forEach(this::clean);
    if (!cell.close()) {
      log.info(
          "isolation_not_closed",
          Map.of("level", cell.told().map(told -> told.level()).orElse("")));
    }
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
