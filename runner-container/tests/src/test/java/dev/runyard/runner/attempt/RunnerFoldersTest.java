package dev.runyard.runner.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.runner.machine.ProcessStart;
import dev.runyard.runner.process.RunMark;
import dev.runyard.runner.workspace.Workspace;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RunnerFoldersTest {
  @TempDir private Path work;

  @Test
  void removesWhatDeadRunnersWereFetchingAndNothingElse() throws Exception {
    RunnerFolders folders = new RunnerFolders(work, false);
    folders.removeLeft();
    RunMark own = RunnerFolders.checkout(new RunMark("run", "attempt"));
    Workspace.create(folders.checkouts(), own);
    String self = ProcessStart.self().text();
    String reused = new ProcessStart(ProcessStart.self().pid(), 1).text();
    for (String dead : List.of("999999999-1", reused, reused + ".removed")) {
      Path left = Files.createDirectories(folders.checkouts().resolve("run.a-of-" + dead));
      Files.writeString(left.resolve("ssh-key"), "secret");
    }
    Files.createDirectory(folders.checkouts().resolve("of-somebody"));

    folders.removeLeft();

    try (Stream<Path> kept = Files.list(folders.checkouts())) {
      assertEquals(
          List.of("of-somebody", "run.attempt-of-" + self),
          kept.map(it -> String.valueOf(it.getFileName())).sorted().toList());
    }
  }
}
