package dev.runyard.runner.attempt;

import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.runner.files.Removal;
import dev.runyard.runner.log.RunnerLog;
import dev.runyard.runner.process.RunMark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// The folders that attempts of dead runners left on this machine. The name of each begins with the
/// mark of its attempt, so the log tells which of them nobody needs any more. Those that people
/// look at stay.
final class LeftFolders {
  private static final String BEING_REMOVED = ".removed";

  private final RunnerFolders folders;
  private final RunnerLog log;

  LeftFolders(RunnerFolders folders, RunnerLog log) {
    this.folders = folders;
    this.log = log;
  }

  /// Removes those of an attempt that is over and whose processes are gone.
  void ofAttempt(RunMark attempt) {
    String mark = attempt.value();
    remove(
        name ->
            name.equals(mark)
                || name.equals(mark + WorkspacePreparation.SETUP_HOME)
                || RunnerFolders.isCheckout(name, attempt));
  }

  /// Removes those of runs that have ended. An attempt that is about to remove its own may do so at
  /// the same time.
  ///
  /// @param ended true of the id of such a run; false also of what is no run's id
  void ofRuns(Predicate<String> ended) {
    Set<String> asked = new TreeSet<>();
    Set<String> over = new TreeSet<>();
    remove(
        name -> {
          String run = name.substring(0, Math.max(0, name.indexOf('.')));
          if (asked.add(run) && ended.test(run)) {
            over.add(run);
          }
          return over.contains(run);
        });
  }

  /// @param unneeded true of the name of a folder to remove
  private void remove(Predicate<String> unneeded) {
    if (folders.kept()) {
      return;
    }
    for (Path root : List.of(folders.workspaces(), folders.homes(), folders.checkouts())) {
      try {
        for (String name : names(root)) {
          if (unneeded.test(name)) {
            Removal.of(root.resolve(name));
          }
        }
      } catch (IOException | PortUnavailable e) {
        log.failed("left_folders_not_removed", e);
      }
    }
  }

  /// Also of folders whose removal has only begun.
  private static Set<String> names(Path root) throws IOException {
    Set<String> names = new TreeSet<>();
    if (Files.isDirectory(root)) {
      try (Stream<Path> there = Files.list(root)) {
        there
            .map(folder -> String.valueOf(folder.getFileName()))
            .map(
                name ->
                    name.endsWith(BEING_REMOVED)
                        ? name.substring(0, name.length() - BEING_REMOVED.length())
                        : name)
            .forEach(names::add);
      }
    }
    return names;
  }
}
