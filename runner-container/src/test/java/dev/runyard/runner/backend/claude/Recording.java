package dev.runyard.runner.backend.claude;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.runyard.core.run.Attempt;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// One recorded process of Claude Code.
///
/// @param failure the code of the failure it stands for
record Recording(
    String name, Attempt.Exit exit, Optional<String> failure, List<String> lines, String stderr) {

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
        recordings.add(
            new Recording(
                name,
                test.has("signal")
                    ? new Attempt.Exit(null, test.path("signal").asInt())
                    : new Attempt.Exit(test.path("exit").asInt(), null),
                Optional.of(test.path("failure").asText()).filter(code -> !code.isEmpty()),
                text(name + ".jsonl").lines().toList(),
                text(name + ".stderr.txt")));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return recordings;
  }

  @Override
  public String toString() {
    return name;
  }

  private static String text(String file) throws IOException {
    try (InputStream in = Recording.class.getResourceAsStream("/claude/" + file)) {
      return in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
