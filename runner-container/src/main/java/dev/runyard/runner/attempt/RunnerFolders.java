package dev.runyard.runner.attempt;

import dev.runyard.runner.files.Removal;
import dev.runyard.runner.machine.ProcessStart;
import dev.runyard.runner.process.RunMark;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/// The folders of a runner's attempts.
///
/// @param work contains `workspaces/`, `homes/` and `checkouts/`
/// @param kept whether workspaces and homes stay for people to look at
public record RunnerFolders(Path work, boolean kept) {
  private static final String CHECKOUTS = "checkouts";
  private static final String OF = "-of-";
  private static final String REMOVED = ".removed";

  Path workspaces() {
    return work.resolve("workspaces");
  }

  /// Of the runner's own: no attempt's user may pass it.
  Path checkouts() {
    return work.resolve(CHECKOUTS);
  }

  /// The name of a folder there, which tells whose it is.
  static RunMark checkout(RunMark attempt) {
    return new RunMark(attempt.runId(), attempt.attemptId() + OF + ProcessStart.self().text());
  }

  /// True for such a folder of an attempt, whichever runner made it.
  static boolean isCheckout(String name, RunMark attempt) {
    return name.startsWith(attempt.value() + OF);
  }

  /// Removes what runners that are dead were fetching, and what they fetched it with.
  public void removeLeft() throws IOException {
    Path all = checkouts();
    if (!Files.isDirectory(all, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(all)) {
      for (Path folder : folders) {
        String name = String.valueOf(folder.getFileName());
        String owner = name.substring(name.lastIndexOf(OF) + OF.length()).replace(REMOVED, "");
        if (ProcessStart.read(owner).filter(it -> !it.isAlive()).isPresent()) {
          Removal.of(folder);
        }
      }
    }
  }

  Path homes() {
    return work.resolve("homes");
  }
}
