package dev.runyard.runner.backend.codex;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.run.Attempt;
import dev.runyard.runner.backend.OutputParser;
import dev.runyard.runner.backend.Recording;
import java.util.List;

/// Codex's stream as an output parser.
public final class CodexStreams {
  /// The folder of the recordings of Codex.
  static final String RECORDINGS = "codex";

  private CodexStreams() {}

  /// The events of all lines of a recording.
  static List<RunEvent> events(String name) {
    CodexStream stream = new CodexStream("", null, new CodexThread.Fresh());
    return Recording.named(RECORDINGS, name).events(stream::line);
  }

  /// One process with a new conversation.
  public static OutputParser fresh() {
    CodexStream stream = new CodexStream("a/", null, new CodexThread.Fresh());
    return new OutputParser() {
      @Override
      public List<RunEvent> line(String line) {
        return stream.line(line);
      }

      @Override
      public Ending end(Attempt.Exit exit, String stderr) {
        CodexOutcome outcome = CodexOutcome.of(stream, exit, stderr);
        return new Ending(outcome.last(), outcome.failure());
      }
    };
  }
}
