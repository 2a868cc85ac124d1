package dev.runyard.runner.upload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.problem.Failure;
import dev.runyard.runner.files.Removal;
import dev.runyard.runner.workspace.GitNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// A thousand archives that try to leave their folder, none of which does.
@Execution(ExecutionMode.CONCURRENT)
final class HostileArchiveTest {
  private static final int ARCHIVES = 1_000;
  private static final UnpackBounds BOUNDS = new UnpackBounds(250_000, 150, 200);
  private static final Set<String> CODES =
      Set.of(Failure.UPLOAD_REFUSED, Failure.WORKSPACE_TOO_LARGE);

  @TempDir private Path folder;

  @Test
  void isRefusedOrUnpackedWithinItsFolder() throws Exception {
    Path outside = Files.createDirectory(folder.resolve("outside"));
    int refused = 0;
    for (int seed = 0; seed < ARCHIVES; seed++) {
      Path root = Files.createDirectory(folder.resolve("root"));
      UploadedArchive archive =
          new UploadedArchive(HostileArchives.format(seed), HostileArchives.archive(seed));
      switch (archive.unpack(root, BOUNDS, () -> false)) {
        case UploadedArchive.Result.Refused(Failure failure) -> {
          refused++;
          assertTrue(CODES.contains(failure.code()), "seed " + seed + ": " + failure);
        }
        case UploadedArchive.Result.Unpacked unpacked ->
            assertTrue(unpacked.bytes() <= BOUNDS.bytes(), "seed " + seed);
      }
      look(root, seed);
      assertEquals(List.of(), names(outside), "seed " + seed);
      assertEquals(List.of("outside", "root"), names(folder), "seed " + seed);
      Removal.of(root);
    }
    assertFalse(Files.exists(Path.of("/tmp/escape"), LinkOption.NOFOLLOW_LINKS));
    assertTrue(refused > ARCHIVES / 3 && refused < ARCHIVES, refused + " were refused");
  }

  /// What there is, whether it was refused in the end or not.
  private static void look(Path root, int seed) throws IOException {
    long bytes = 0;
    List<Path> all;
    try (Stream<Path> walked = Files.walk(root)) {
      all = walked.toList();
    }
    assertTrue(all.size() <= BOUNDS.entries() + 1, "seed " + seed);
    for (Path path : all) {
      int mode = (int) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
      boolean plain =
          Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)
              || Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)
              || Files.isSymbolicLink(path);
      assertTrue(plain && (mode & 07000) == 0, "seed " + seed + ": " + path);
      assertFalse(GitNames.isRepository(path.getFileName().toString()), "seed " + seed);
      if (Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
        bytes += Files.size(path);
        assertEquals(
            1,
            Files.getAttribute(path, "unix:nlink", LinkOption.NOFOLLOW_LINKS),
            "seed " + seed + ": " + path);
      }
    }
    assertTrue(bytes <= BOUNDS.bytes() + 65_536, "seed " + seed);
  }

  private static List<String> names(Path of) throws IOException {
    try (Stream<Path> files = Files.list(of)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }
}
