package dev.runyard.cli.folder;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Who has the place.
final class FilesBeforeTest {
  @TempDir private Path temporary;

  private FilesBefore.Opened open() throws IOException {
    return FilesBefore.open(temporary, place());
  }

  private Path place() {
    return temporary.resolve("place");
  }

  private static FilesBefore ready(FilesBefore.Opened opened) {
    return assertInstanceOf(FilesBefore.Opened.Ready.class, opened).files();
  }

  @Test
  void hasOnePlaceThoughTheOneBeforeLeavesWhileTheNextOneComes() throws Exception {
    FilesBefore first = ready(open());
    boolean[] closed = new boolean[1];
    FilesBefore.Opened opened =
        FilesBefore.open(
            temporary,
            place(),
            () -> {
              if (!closed[0]) {
                closed[0] = true;
                first.close();
              }
            });

    try (FilesBefore _ = ready(opened)) {
      assertTrue(Files.exists(place().resolve("lock")));
      assertInstanceOf(FilesBefore.Opened.Taken.class, open());
    }
    assertFalse(Files.exists(place()));
  }

  @Test
  void leavesThePlaceToTheOneThatHasIt() throws Exception {
    try (FilesBefore _ = ready(open())) {
      assertInstanceOf(FilesBefore.Opened.Taken.class, open());
      assertTrue(Files.exists(place().resolve("lock")));
    }
    assertFalse(Files.exists(place()));
    ready(open()).close();
  }
}
