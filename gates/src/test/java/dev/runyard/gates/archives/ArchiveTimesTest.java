package dev.runyard.gates.archives;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.gates.Planted;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ArchiveTimesTest {
  private static final LocalDateTime STATED = LocalDateTime.parse("2026-01-01T00:00:00");

  @Planted("ArchiveTimesIT.everyEntryHasTheTimeThatTheBuildStates")
  @Test
  void anEntryOfAnotherTimeIsNamed(@TempDir Path home) throws IOException {
    Path built = Files.createDirectories(home.resolve("cli/target/agents"));
    try (var zip = new ZipOutputStream(Files.newOutputStream(built.resolve("one.jar")))) {
      add(zip, "stated", STATED);
      add(zip, "late", STATED.plusDays(1));
    }

    assertEquals(
        List.of("one.jar: late 2026-01-02T00:00"),
        ArchiveTimesIT.others(ArchiveTimesIT.archives(home), STATED));
  }

  private static void add(ZipOutputStream zip, String name, LocalDateTime time) throws IOException {
    ZipEntry entry = new ZipEntry(name);
    entry.setTimeLocal(time);
    zip.putNextEntry(entry);
    zip.closeEntry();
  }
}
