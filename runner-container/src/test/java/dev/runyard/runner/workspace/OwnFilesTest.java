package dev.runyard.runner.workspace;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.needs.Needs;
import dev.runyard.needs.Outside;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class OwnFilesTest {
  @TempDir Path folder;

  @Test
  void doesNotPassThroughALink() throws IOException {
    Files.createDirectories(folder.resolve("a/b"));
    Files.createSymbolicLink(folder.resolve("l"), folder.resolve("a"));
    assertTrue(OwnFiles.reaches(folder, Path.of("a", "b")));
    assertTrue(OwnFiles.reaches(folder, Path.of("none")));
    assertFalse(OwnFiles.reaches(folder, Path.of("l", "b")));
    assertFalse(OwnFiles.reaches(folder, Path.of("l")));
  }

  @Test
  @Needs(Outside.OWN_USERS)
  void knowsTheFileOfAnother() throws IOException {
    Path own = Files.createFile(folder.resolve("own"));
    Path other = Files.createFile(folder.resolve("other"));
    Files.setAttribute(other, "unix:uid", 66_000);
    assertTrue(OwnFiles.owns(folder, own));
    assertFalse(OwnFiles.owns(folder, other));
  }
}
