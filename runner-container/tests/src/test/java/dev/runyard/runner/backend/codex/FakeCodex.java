package dev.runyard.runner.backend.codex;

import dev.runyard.runner.backend.FakeProgram;
import dev.runyard.runner.backend.Recording;
import java.io.IOException;
import java.nio.file.Path;

/// A program in place of Codex that first reads all of its input.
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

  /// Prints a recording of Codex, and ends as recorded.
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
