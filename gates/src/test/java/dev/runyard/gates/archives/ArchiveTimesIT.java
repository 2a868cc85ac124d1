package dev.runyard.gates.archives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;

/// The archives of a build say nothing of when they were built, so that the same sources give the
/// same bytes.
final class ArchiveTimesIT {
  private static final Path HOME =
      Path.of(Objects.requireNonNull(System.getProperty("runyard.home")));
  private static final Pattern TIMESTAMP =
      Pattern.compile("<project.build.outputTimestamp>(.+)Z</project.build.outputTimestamp>");

  private static final Pattern ARCHIVE = Pattern.compile(".*/target/(agents/)?[^/]+\\.jar");

  @Test
  void everyEntryHasTheTimeThatTheBuildStates() throws IOException {
    Matcher stated = TIMESTAMP.matcher(Files.readString(HOME.resolve("pom.xml")));
    assertTrue(stated.find());
    LocalDateTime time = LocalDateTime.parse(stated.group(1));
    List<String> others = new ArrayList<>();
    List<Path> archives = archives();
    for (Path archive : archives) {
      try (ZipFile zip = new ZipFile(archive.toFile())) {
        zip.stream()
            .filter(entry -> !entry.getTimeLocal().equals(time))
            .forEach(entry -> others.add(archive + ": " + entry + " " + entry.getTimeLocal()));
      }
    }
    assertEquals(List.of(), others);
    assertTrue(archives.stream().anyMatch(file -> file.endsWith("runner.jar")));
    assertTrue(archives.stream().anyMatch(file -> file.endsWith("functions-lambda.jar")));
  }

  /// What the modules built, without the class path that was copied.
  private static List<Path> archives() throws IOException {
    try (Stream<Path> files = Files.walk(HOME)) {
      return files.filter(file -> ARCHIVE.matcher(file.toString()).matches()).toList();
    }
  }
}
