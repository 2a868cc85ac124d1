package dev.runyard.runner.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.runner.log.RunnerLog;
import dev.runyard.runner.process.RunMark;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LeftFoldersTest {
  @TempDir private Path work;

  @Test
  void removesAllThatAnAttemptMadeAndNothingOfAnother() throws Exception {
    Path outside = Files.writeString(work.resolve("outside"), "stays");
    made(
        "workspaces/run.one/a/b", "workspaces/run.two", "homes/run.one", "homes/run.one-setup/tmp");
    made("checkouts/run.one-of-7-9/git/objects", "checkouts/run.one-of-7-9/change-1/own");
    made("homes/run.one2");
    Files.createSymbolicLink(work.resolve("workspaces/run.one/link"), outside);

    folders(false).ofAttempt(new RunMark("run", "one"));

    assertEquals(List.of("homes/run.one2", "workspaces/run.two"), left());
    assertEquals("stays", Files.readString(outside));
  }

  @Test
  void removesWhatRunsLeftThatHaveEnded() throws Exception {
    made("workspaces/over.one", "homes/over.two", "homes/over.two-setup", "checkouts/over.two");
    made("workspaces/open.one", "homes/open.one", "checkouts/other");

    folders(false).ofRuns("over"::equals);

    assertEquals(List.of("checkouts/other", "homes/open.one", "workspaces/open.one"), left());
  }

  @Test
  void goesOnWithARemovalThatADeadRunnerHadBegun() throws Exception {
    made("workspaces/over.one.removed/0/a", "workspaces/open.one.removed/0/a");

    folders(false).ofRuns("over"::equals);

    assertEquals(List.of("workspaces/open.one.removed"), left());
  }

  @Test
  void removesNothingThatIsKeptForPeople() throws Exception {
    made("workspaces/over.one", "homes/over.one");

    folders(true).ofRuns(_ -> true);
    folders(true).ofAttempt(new RunMark("over", "one"));

    assertEquals(List.of("homes/over.one", "workspaces/over.one"), left());
  }

  @Test
  void removesNothingOfARunOfWhichNobodyCanTell() throws Exception {
    made("workspaces/run.one");

    folders(false)
        .ofRuns(
            _ -> {
              throw new PortUnavailable("no answer");
            });

    assertEquals(List.of("workspaces/run.one"), left());
  }

  private void made(String... folders) throws IOException {
    for (String folder : folders) {
      Files.writeString(Files.createDirectories(work.resolve(folder)).resolve("file"), "content");
    }
  }

  private LeftFolders folders(boolean kept) {
    return new LeftFolders(
        new RunnerFolders(work, kept),
        new RunnerLog(new PrintStream(PrintStream.nullOutputStream()), () -> Instant.EPOCH));
  }

  private List<String> left() throws IOException {
    try (Stream<Path> files = Files.walk(work, 2)) {
      return files
          .map(work::relativize)
          .filter(file -> file.getNameCount() == 2)
          .map(Path::toString)
          .sorted()
          .toList();
    }
  }
}
