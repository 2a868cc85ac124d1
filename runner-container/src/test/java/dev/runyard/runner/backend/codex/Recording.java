package dev.runyard.runner.backend.codex;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.run.Attempt;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One recorded process of Codex.
record Recording(String name, Attempt.Exit exit, List<String> lines, String stderr) {

  static Recording named(String name) {
    return all().stream()
        .filter(recording -> recording.name.equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no recording " + name));
  }

  static List<Recording> all() {
    List<Recording> recordings = new ArrayList<>();
    try {
      for (JsonNode test : new ObjectMapper().readTree(text("cases.json"))) {
        String name = test.path("name").asText();
        @Nullable Integer code = test.has("exit") ? test.path("exit").asInt() : null;
        @Nullable Integer signal = test.has("signal") ? test.path("signal").asInt() : null;
        recordings.add(
            new Recording(
                name,
                new Attempt.Exit(code, signal),
                text(name + ".jsonl").lines().toList(),
                text(name + ".stderr.txt")));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return recordings;
  }

  /// The events of all lines.
  List<RunEvent> events() {
    return events(new CodexStream("", null, new CodexThread.Fresh()));
  }

  List<RunEvent> events(CodexStream stream) {
    return lines.stream().flatMap(line -> stream.line(line).stream()).toList();
  }

  @Override
  public String toString() {
    return name;
  }

  private static String text(String file) throws IOException {
    try (InputStream in = Recording.class.getResourceAsStream("/codex/" + file)) {
      return in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
