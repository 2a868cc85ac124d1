package dev.runyard.runner.backend.codex;

import dev.runyard.runner.backend.FakeProgram;
import dev.runyard.runner.backend.Recording;
import java.io.IOException;
import java.nio.file.Path;

/// A program in the place of Codex that reads all it is told first.
public final class FakeCodex extends FakeProgram {
  private FakeCodex(Path directory, String script) throws IOException {
    super(
        directory,
        "codex",
        """
        cp "$CODEX_HOME/config.toml" "$started/config"
        cat > "$started/stdin"
        """
            + script);
  }

  /// Prints what Codex once printed, and ends as Codex then ended.
  static FakeCodex playing(Path directory, String name) throws IOException {
    Recording recording = Recording.named(CodexStreams.RECORDINGS, name);
    write(directory, recording);
    return running(
        directory,
        "cat \"$started/lines.jsonl\"\ncat \"$started/stderr.txt\" >&2\n"
            + end(recording.exit(), "exit 0"));
  }

  public static FakeCodex running(Path directory, String script) throws IOException {
    return new FakeCodex(directory, script);
  }

  String stdin() throws IOException {
    return text("stdin");
  }

  String config() throws IOException {
    return text("config");
  }
}
