package dev.runyard.runner.change;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.change.ChangeBounds;
import dev.runyard.core.change.ChangedFile;
import dev.runyard.runner.checkout.Origin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Changes to files that a repository made to be compared at great expense.
final class LargeBaseTest {
  @TempDir private Path folder;

  /// What there is to compare is within the bounds, but each line takes much more than its byte.
  @Test
  void isToldWithoutAPatchThatTakesTooMuchMemory() throws Exception {
    byte[] before = new byte[ChangeBounds.FILE_BYTES_MAX - 1];
    Arrays.fill(before, (byte) '\n');
    byte[] now = before.clone();
    now[0] = 'x';
    assertOnlyTold(taken(before, now));
  }

  @Test
  void isToldWithoutAPatchThatIsMuchSmallerThanWhatWasThere() throws Exception {
    assertOnlyTold(taken(new byte[ChangeBounds.CONTENT_BYTES_MAX + 1], new byte[0]));
  }

  private static void assertOnlyTold(TakenChange taken) {
    assertEquals(Optional.empty(), taken.patch());
    assertEquals(1, taken.files().size());
    ChangedFile file = taken.files().getFirst();
    assertEquals("large", file.path());
    assertEquals(ChangedFile.Kind.MODIFIED, file.kind());
    assertNull(file.linesRemoved());
    assertTrue(taken.leftOut().isEmpty());
  }

  private TakenChange taken(byte[] before, byte[] now) throws IOException, TakingFailed {
    Path workspace = Files.createDirectory(folder.resolve("ws"));
    Path file = Files.write(workspace.resolve("large"), before);
    OriginRepository.git(workspace, "init", "--quiet");
    OriginRepository.git(workspace, "add", "--all");
    OriginRepository.git(workspace, "commit", "--quiet", "-m", "first");
    String commit = OriginRepository.git(workspace, "rev-parse", "HEAD").strip();
    Files.write(file, now);
    return ChangeTaking.take(
        new Origin(workspace.resolve(".git"), commit, workspace),
        List.of(),
        Files.createDirectory(folder.resolve("scratch")),
        Secrets.NONE,
        Deadline.in(Duration.ofHours(1), InstantSource.system()));
  }
}
