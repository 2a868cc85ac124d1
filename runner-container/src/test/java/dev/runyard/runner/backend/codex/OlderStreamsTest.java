package dev.runyard.runner.backend.codex;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.event.RunEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Streams of older versions, kept beside the project where they are at hand.
class OlderStreamsTest {

  private static final Path STREAMS =
      Path.of("shared", "data", "universal-agent-api", "cli-streams", "codex");

  @Test
  void mapsEveryRecordedStream() throws IOException {
    Optional<Path> folder = folder();
    if (folder.isEmpty()) {
      System.out.println("Not run: no folder above this one has " + STREAMS);
      return;
    }
    try (Stream<Path> files = Files.walk(folder.get())) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        CodexStream stream = new CodexStream("", null, new CodexThread.Fresh());
        List<RunEvent> events =
            Files.readAllLines(file).stream().flatMap(line -> stream.line(line).stream()).toList();
        if (file.getFileName().toString().equals("streaming.jsonl")) {
          assertTrue(events.getFirst() instanceof RunEvent.SessionUpdated, file.toString());
          assertTrue(events.contains(new RunEvent.ModelCompleted()), file.toString());
        }
        if (file.toString().endsWith(".jsonl")) {
          assertFalse(events.toString().contains("unknown_output"), file.toString());
        }
      }
    }
  }

  private static Optional<Path> folder() {
    return Stream.iterate(Path.of("").toAbsolutePath(), path -> path != null, Path::getParent)
        .map(path -> path.resolve(STREAMS))
        .filter(Files::isDirectory)
        .findFirst();
  }
}
