package dev.runyard.runner.change;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.memory.SettableClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FilesTakingTest {
  private static final int FILES = 50;
  private static final Duration ALLOWED = Duration.ofSeconds(FILES + 20);

  @TempDir private Path folder;

  /// Each look at the clock takes a second: one for each file that is found, and some for each
  /// copy.
  @Test
  void keepsTheCopiesThatAreCompleteWhenTheTimeIsOver() throws IOException {
    SettableClock clock = new SettableClock(Instant.EPOCH);
    InstantSource ticking =
        () -> {
          clock.advance(Duration.ofSeconds(1));
          return clock.instant();
        };
    Path workspace = Files.createDirectory(folder.resolve("workspace"));
    for (int i = 0; i < FILES; i++) {
      Files.writeString(workspace.resolve("f" + i), "content " + i);
    }
    FilesTaking taking = new FilesTaking(workspace, Secrets.NONE, Deadline.in(ALLOWED, ticking));
    List<FilesTaking.Copy> copies = new ArrayList<>();
    Path into = Files.createDirectory(folder.resolve("into"));

    assertThrows(TakingFailed.class, () -> taking.artifacts(List.of("*"), into, copies));

    assertFalse(copies.isEmpty());
    assertTrue(copies.size() < FILES);
    for (FilesTaking.Copy copy : copies) {
      assertEquals(Files.readString(workspace.resolve(copy.name())), Files.readString(copy.copy()));
    }
  }
}
