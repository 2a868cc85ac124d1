package dev.runyard.runner.backend;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.run.Attempt;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// One recorded process of a CLI.
///
/// @param failure the code of the failure it stands for
public record Recording(
    String name, Attempt.Exit exit, Optional<String> failure, List<String> lines, String stderr) {

  /// The recording with that name.
  ///
  /// @param cli the folder of its recordings
  public static Recording named(String cli, String name) {
    return all(cli).stream()
        .filter(recording -> recording.name.equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no recording " + name));
  }

  /// The recordings of a CLI.
  ///
  /// @param cli the folder of its recordings
  public static List<Recording> all(String cli) {
    List<Recording> recordings = new ArrayList<>();
    try {
      for (JsonNode test : JsonFormat.JSON.readTree(text(cli, "cases.json"))) {
        String name = test.path("name").asText();
        @Nullable Integer code = test.has("exit") ? test.path("exit").asInt() : null;
        @Nullable Integer signal = test.has("signal") ? test.path("signal").asInt() : null;
        recordings.add(
            new Recording(
                name,
                new Attempt.Exit(code, signal),
                Optional.of(test.path("failure").asText()).filter(failure -> !failure.isEmpty()),
                text(cli, name + ".jsonl").lines().toList(),
                text(cli, name + ".stderr.txt")));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return recordings;
  }

  /// The events of all lines.
  public List<RunEvent> events(Function<String, List<RunEvent>> stream) {
    return lines.stream().flatMap(line -> stream.apply(line).stream()).toList();
  }

  @Override
  public String toString() {
    return name;
  }

  private static String text(String cli, String file) throws IOException {
    try (InputStream in = Recording.class.getResourceAsStream("/" + cli + "/" + file)) {
      return in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
