package dev.runyard.gates.archives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.gates.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;

/// The archives of a build say nothing of when they were built, so that the same sources give the
/// same bytes.
final class ArchiveTimesIT {
  private static final Pattern TIMESTAMP =
      Pattern.compile("<project.build.outputTimestamp>(.+)Z</project.build.outputTimestamp>");

  private static final Pattern ARCHIVE = Pattern.compile(".*/target/(agents/)?[^/]+\\.jar");

  @Test
  void everyEntryHasTheTimeThatTheBuildStates() throws IOException {
    Matcher stated = TIMESTAMP.matcher(Repository.OURS.text("pom.xml"));
    assertTrue(stated.find());
    List<Path> archives = archives(Repository.HOME);
    assertEquals(List.of(), others(archives, LocalDateTime.parse(stated.group(1))));
    assertTrue(archives.stream().anyMatch(file -> file.endsWith("runner.jar")));
    assertTrue(archives.stream().anyMatch(file -> file.endsWith("functions-lambda.jar")));
  }

  /// Entries of another time.
  static List<String> others(List<Path> archives, LocalDateTime time) throws IOException {
    List<String> others = new ArrayList<>();
    for (Path archive : archives) {
      try (ZipFile zip = new ZipFile(archive.toFile())) {
        zip.stream()
            .filter(entry -> !entry.getTimeLocal().equals(time))
            .forEach(
                entry ->
                    others.add(archive.getFileName() + ": " + entry + " " + entry.getTimeLocal()));
      }
    }
    return others;
  }

  /// What the modules built, without the class path that was copied.
  static List<Path> archives(Path home) throws IOException {
    try (Stream<Path> files = Files.walk(home)) {
      return files.filter(file -> ARCHIVE.matcher(file.toString()).matches()).toList();
    }
  }
}
