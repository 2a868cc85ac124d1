package dev.runyard.runner.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.run.Attempt;
import dev.runyard.core.run.RunKey;
import dev.runyard.runner.backend.claude.ClaudeStream;
import dev.runyard.runner.backend.codex.CodexStreams;
import dev.runyard.runner.backend.gemini.GeminiStream;
import dev.runyard.runner.backend.opencode.OpencodeStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What CLIs once printed, each file as one process: known, unknown and broken lines.
final class RecordedStreamsTest {
  /// Shorter lines say too little to be recognised.
  private static final int LINE_CHARS_MIN = 16;

  private static final int FILES = 48;
  private static final ObjectMapper JSON = new ObjectMapper();

  static Stream<Path> recordings() {
    Path folder = SharedFiles.required("universal-agent-api/cli-streams");
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).sorted().toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void allAreThere() {
    assertTrue(recordings().count() >= FILES, () -> recordings().count() + " files");
  }

  @ParameterizedTest
  @MethodSource("recordings")
  void mapsEveryLineAndStoresNone(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file);

    String stored = stored(play(file, lines));

    for (String line : lines) {
      if (line.strip().length() >= LINE_CHARS_MIN) {
        assertFalse(stored.contains(line.strip()), line);
        assertFalse(stored.contains(escaped(line.strip())), line);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("recordings")
  void mapsEveryLineOfAnyOtherCliToo(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file);

    for (CliDialect dialect :
        List.of(claude(), new GeminiStream("", null), new OpencodeStream("", null), codex())) {
      String stored = stored(play(dialect, lines));
      lines.stream()
          .map(String::strip)
          .filter(line -> line.length() >= LINE_CHARS_MIN)
          .forEach(line -> assertFalse(stored.contains(line), line));
    }
  }

  @Test
  void tellsTheSessionOfEveryCli() throws IOException {
    for (String name :
        List.of(
            "claude_stream_json/system_init",
            "fake_claude/system_init",
            "gemini_stream_json/init",
            "opencode_run_json/step_start",
            "codex/streaming")) {
      Path file = SharedFiles.required("universal-agent-api/cli-streams/" + name + ".jsonl");
      long sessions =
          play(file, Files.readAllLines(file)).stream()
              .filter(RunEvent.SessionUpdated.class::isInstance)
              .count();
      assertEquals(1, sessions, name);
    }
  }

  private static List<RunEvent> play(Path file, List<String> lines) {
    String path = file.toString();
    CliDialect dialect =
        path.contains("claude")
            ? claude()
            : path.contains("gemini")
                ? new GeminiStream("a/", null)
                : path.contains("opencode") ? new OpencodeStream("a/", null) : codex();
    return play(dialect, lines);
  }

  private static List<RunEvent> play(CliDialect dialect, List<String> lines) {
    List<RunEvent> events = new ArrayList<>(dialect.opening());
    lines.forEach(line -> events.addAll(dialect.line(line)));
    events.addAll(dialect.end(new Attempt.Exit(0, null), "").last());
    return events.stream().flatMap(event -> EventBounds.apply(event).stream()).toList();
  }

  private static CliDialect claude() {
    return new ClaudeStream("a/", null);
  }

  private static CliDialect codex() {
    return CodexStreams.fresh();
  }

  private static String stored(List<RunEvent> events) {
    RunKey run = new RunKey("default", "019c0000-0000-7000-8000-000000000001");
    List<StoredEvent> stored = new ArrayList<>();
    for (RunEvent event : events) {
      stored.add(new StoredEvent(run, "s", "a", stored.size() + 1, Instant.EPOCH, event));
    }
    return new String(EventCodec.encode(stored), StandardCharsets.UTF_8);
  }

  /// The line as it stands inside a JSON string.
  private static String escaped(String line) throws JsonProcessingException {
    String quoted = JSON.writeValueAsString(line);
    return quoted.substring(1, quoted.length() - 1);
  }
}
