package dev.runyard.runner.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.run.Attempt;
import dev.runyard.needs.NeedsStandards;
import dev.runyard.needs.Standards;
import dev.runyard.runner.backend.claude.ClaudeStream;
import dev.runyard.runner.backend.codex.CodexStreams;
import dev.runyard.runner.backend.gemini.GeminiStream;
import dev.runyard.runner.backend.opencode.OpencodeStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What CLIs print, each file as one process: known, unknown and broken lines. Ours are always
/// present; the standard's recordings are played if they are present.
final class RecordedStreamsTest {
  /// Shorter lines are too short to be recognised.
  private static final int LINE_CHARS_MIN = 16;

  private static final int OWN_FILES = 8;
  private static final int STANDARD_FILES = 48;
  private static final String STANDARD = "universal-agent-api/cli-streams";
  private static final ObjectMapper JSON = new ObjectMapper();

  static Stream<Path> own() {
    try (Stream<Path> files = Files.list(folder())) {
      return files.sorted().toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Stream<Path> standard() {
    return Standards.files(STANDARD).stream();
  }

  @Test
  void oursAreThere() {
    assertEquals(OWN_FILES, own().count());
  }

  @Test
  @NeedsStandards
  void theStandardsAreThere() {
    assertTrue(standard().count() >= STANDARD_FILES, () -> standard().count() + " files");
  }

  @ParameterizedTest
  @MethodSource("own")
  void mapsEveryLineAndStoresNone(Path file) throws IOException {
    storesNoLine(file);
  }

  @NeedsStandards
  @ParameterizedTest
  @MethodSource("standard")
  void mapsEveryLineOfTheStandardAndStoresNone(Path file) throws IOException {
    storesNoLine(file);
  }

  @ParameterizedTest
  @MethodSource("own")
  void reportsTheSessionOnce(Path file) throws IOException {
    assertEquals(
        List.of(new RunEvent.SessionUpdated("5e551017-0000-4000-8000-000000000001")),
        sessions(file));
  }

  @Test
  @NeedsStandards
  void reportsTheSessionOfEveryCli() throws IOException {
    for (String name :
        List.of(
            "claude_stream_json/system_init",
            "fake_claude/system_init",
            "gemini_stream_json/init",
            "opencode_run_json/step_start",
            "codex/streaming")) {
      assertEquals(1, sessions(Standards.file(STANDARD + "/" + name + ".jsonl")).size(), name);
    }
  }

  private static List<RunEvent> sessions(Path file) throws IOException {
    return play(file, Files.readAllLines(file)).stream()
        .filter(RunEvent.SessionUpdated.class::isInstance)
        .toList();
  }

  /// The CLI's own dialect and every other one: a line that is understood and one that is not.
  private static void storesNoLine(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file);
    assertTrue(!lines.isEmpty() || Files.size(file) == 0);
    storesNone(play(file, lines), lines);
    for (OutputParser dialect :
        List.of(claude(), new GeminiStream("", null), new OpencodeStream("", null), codex())) {
      storesNone(play(dialect, lines), lines);
    }
  }

  private static void storesNone(List<RunEvent> events, List<String> lines)
      throws JsonProcessingException {
    String stored = stored(events);
    for (String line : lines) {
      if (line.strip().length() >= LINE_CHARS_MIN) {
        assertFalse(stored.contains(line.strip()), line);
        assertFalse(stored.contains(escaped(line.strip())), line);
      }
    }
  }

  private static Path folder() {
    try {
      return Path.of(
          Objects.requireNonNull(RecordedStreamsTest.class.getResource("/streams")).toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<RunEvent> play(Path file, List<String> lines) {
    String path = file.subpath(file.getNameCount() - 2, file.getNameCount()).toString();
    OutputParser dialect =
        path.contains("claude")
            ? claude()
            : path.contains("gemini")
                ? new GeminiStream("a/", null)
                : path.contains("opencode") ? new OpencodeStream("a/", null) : codex();
    return play(dialect, lines);
  }

  private static List<RunEvent> play(OutputParser dialect, List<String> lines) {
    List<RunEvent> events = new ArrayList<>(dialect.opening());
    lines.forEach(line -> events.addAll(dialect.line(line)));
    events.addAll(dialect.end(new Attempt.Exit(0, null), "").last());
    return events.stream().flatMap(event -> EventBounds.apply(event).stream()).toList();
  }

  private static OutputParser claude() {
    return new ClaudeStream("a/", null);
  }

  private static OutputParser codex() {
    return CodexStreams.fresh();
  }

  private static String stored(List<RunEvent> events) {
    RunKey run = new RunKey("default", "019c0000-0000-7000-8000-000000000001");
    List<StoredEvent> stored = new ArrayList<>();
    for (RunEvent event : events) {
      stored.add(new StoredEvent(run, "s", "a", stored.size() + 1, Instant.EPOCH, event));
    }
    return new String(EventCodec.RUNS.encode(stored), StandardCharsets.UTF_8);
  }

  /// The line as inside a JSON string.
  private static String escaped(String line) throws JsonProcessingException {
    String quoted = JSON.writeValueAsString(line);
    return quoted.substring(1, quoted.length() - 1);
  }
}
