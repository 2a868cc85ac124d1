package dev.runyard.runner.change;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.change.ChangeBounds;
import dev.runyard.core.memory.MemoryArtifactStore;
import dev.runyard.core.memory.SettableClock;
import dev.runyard.runner.checkout.Origin;
import dev.runyard.runner.kept.FileBounds;
import dev.runyard.runner.kept.KeptFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Paths of which each is allowed, and which would fill the runner's memory together.
final class HostilePathsTest {
  private static final int PATH_BYTES = 3_600;

  private final Deadline deadline = Deadline.in(Duration.ofSeconds(1), () -> Instant.EPOCH);

  @TempDir private Path folder = Path.of("");

  @Test
  void areBoundedTogetherInWhatARunLeaves() throws Exception {
    OriginRepository repository = new OriginRepository(folder);
    Origin base = repository.base("ws");
    Path deep = base.workspace();
    while (below(base, deep) < PATH_BYTES) {
      deep = Files.createDirectory(deep.resolve("n".repeat(240)));
    }
    int fitting = ChangeBounds.PATHS_BYTES_MAX / (below(base, deep) + 8) - 40;
    for (int i = 0; i < fitting; i++) {
      Files.createFile(deep.resolve("f%06d".formatted(i)));
    }
    KeptFiles files =
        new KeptFiles(
            new MemoryArtifactStore(),
            new SettableClock(Instant.EPOCH),
            new FileBounds(1L << 30, ChangeBounds.ENTRIES_MAX));
    assertTrue(files.fits(base.workspace()));

    for (int i = fitting; i < fitting + 80; i++) {
      Files.createFile(deep.resolve("f%06d".formatted(i)));
    }
    assertFalse(files.fits(base.workspace()));
    TakingFailed failed = assertThrows(TakingFailed.class, () -> take(base));
    assertEquals("its folder has too many files", failed.reason());
  }

  private static int below(Origin base, Path path) {
    return base.workspace().relativize(path).toString().length();
  }

  private void take(Origin base) throws IOException, TakingFailed {
    Path own = Files.createDirectory(folder.resolve("own"));
    ChangeTaking.take(base, List.of(), own, Secrets.NONE, deadline);
  }

  /// A tree may have another one very often, and that one a third.
  @Test
  void areBoundedTogetherInACommitWhateverItTakesToStoreIt() throws Exception {
    Path git = folder.resolve("bomb.git");
    OriginRepository.run(folder, List.of("git", "init", "--quiet", "--bare", git.toString()));
    String inner = tree(git, "100644 blob " + blob(git) + "\t%d\n");
    for (int depth = 0; depth < 10; depth++) {
      inner = tree(git, "040000 tree " + inner + "\t" + "n".repeat(240) + "%d\n");
    }
    String tree = inner;
    OwnGit own =
        OwnGit.make(
            Files.createDirectory(folder.resolve("own")), new Origin(git, tree, folder), deadline);

    TakingFailed failed = assertThrows(TakingFailed.class, () -> OriginTree.read(own, tree));

    assertEquals("its base has too many files", failed.reason());
  }

  private static String blob(Path git) throws IOException {
    return OriginRepository.run(git, List.of("sh", "-c", ": | git hash-object -w --stdin")).strip();
  }

  private static String tree(Path git, String entry) throws IOException {
    Path entries = git.resolve("entries");
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 100; i++) {
      text.append(entry.formatted(i));
    }
    Files.writeString(entries, text);
    return OriginRepository.run(git, List.of("sh", "-c", "git mktree < entries")).strip();
  }
}
