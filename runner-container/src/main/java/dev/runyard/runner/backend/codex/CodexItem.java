package dev.runyard.runner.backend.codex;

import dev.runyard.core.event.RunEvent;
import dev.runyard.runner.backend.FileEdit;
import java.util.List;
import java.util.Optional;

/// One item of a turn as far as it has come: a message, a thought, a tool call. It is the same
/// whichever way Codex tells it; [CodexItemReader] knows the ways.
sealed interface CodexItem {
  /// What stands between the parts of a thought.
  String PARAGRAPH = "\n\n";

  /// What is written so far.
  ///
  /// @param piece whether it is the next piece only, and not the whole
  record Text(String text, boolean piece) {}

  /// A part of the answer.
  ///
  /// @param id empty where none was said
  record Message(String id, Text text, boolean done) implements CodexItem {}

  /// A part of the reasoning before it.
  ///
  /// @param id empty where none was said
  record Thought(String id, Text text) implements CodexItem {}

  /// A tool at work, or done.
  ///
  /// @param id empty where none was said
  /// @param name of the tool, for people
  record ToolCall(String id, String type, String name, String input, boolean done, Result result)
      implements CodexItem {}

  /// What a tool gave back so far, and the files it changes; a file that was moved is two changes.
  record Result(boolean failed, Optional<Integer> exitCode, String output, List<FileEdit> edits) {
    public Result {
      edits = List.copyOf(edits);
    }
  }

  record Plan(RunEvent plan) implements CodexItem {}

  /// A problem that did not stop the turn.
  record Notice(String message) implements CodexItem {}

  /// One that a run does not tell of.
  record Untold() implements CodexItem {}

  record Unknown(String type) implements CodexItem {}
}
