package dev.runyard.runner.files;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FactsCallTest {
  @TempDir Path folder;

  @Test
  void saysWhatJavaSays() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "12345");
    FileTime time = FileTime.from(Instant.parse("2026-03-01T12:00:00.123456789Z"));
    Files.setLastModifiedTime(file, time);
    Files.createLink(folder.resolve("name"), file);
    try (Pinned held = Pinned.at(folder)) {
      FileFacts facts = held.facts(Path.of("file"));

      assertTrue(facts.isFile());
      assertEquals(5, facts.bytes());
      assertEquals(2, facts.names());
      assertEquals(time, facts.written());
      assertEquals(Files.getAttribute(file, "unix:uid"), facts.uid());
      assertEquals(Files.getAttribute(file, "unix:ino"), facts.inode());
      assertTrue(facts.isSame(held.facts(Path.of("name"))));
      assertTrue(held.facts().isFolder());
      assertThrows(FileSystemException.class, () -> held.facts(Path.of("none")));
    }
  }

  /// As a file of a `tmpfs` may have it.
  @Test
  void aTimeBeyondThoseOfJavaIsTheLastOrTheFirst() {
    long ages = 4_000_000_000_000_000_000L;

    assertEquals(Instant.MAX.getEpochSecond() - 1, FactsCall.written(ages, 7).to(SECONDS));
    assertEquals(Instant.MIN.getEpochSecond(), FactsCall.written(-ages, 7).to(SECONDS));
    assertEquals(Instant.ofEpochSecond(5, 7), FactsCall.written(5, 7).toInstant());
  }
}
