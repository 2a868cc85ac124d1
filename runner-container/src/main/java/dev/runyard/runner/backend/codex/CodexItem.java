package dev.runyard.runner.backend.codex;

import dev.runyard.core.event.RunEvent;
import dev.runyard.runner.backend.FileEdit;
import java.util.List;
import java.util.Optional;

/// One item of a turn in its current state: a message, a thought, a tool call. It is the same in
/// both modes of Codex; [CodexItemReader] knows their differences.
sealed interface CodexItem {
  /// Separates the parts of a thought.
  String PARAGRAPH = "\n\n";

  /// The text so far.
  ///
  /// @param piece whether it is only the next piece, not the whole
  record Text(String text, boolean piece) {}

  /// A part of the answer.
  ///
  /// @param id empty if none was given
  record Message(String id, Text text, boolean done) implements CodexItem {}

  /// A part of the reasoning.
  ///
  /// @param id empty if none was given
  record Thought(String id, Text text) implements CodexItem {}

  /// A running or finished tool call.
  ///
  /// @param id empty if none was given
  /// @param name of the tool, for people
  record ToolCall(String id, String type, String name, String input, boolean done, Result result)
      implements CodexItem {}

  /// A tool's result so far, and the files it changes; a moved file is two changes.
  record Result(boolean failed, Optional<Integer> exitCode, String output, List<FileEdit> edits) {
    public Result {
      edits = List.copyOf(edits);
    }
  }

  record Plan(RunEvent plan) implements CodexItem {}

  /// A problem that did not stop the turn.
  record Notice(String message) implements CodexItem {}

  /// One that a run does not report.
  record Untold() implements CodexItem {}

  record Unknown(String type) implements CodexItem {}
}
