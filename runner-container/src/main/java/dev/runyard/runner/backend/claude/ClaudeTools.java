package dev.runyard.runner.backend.claude;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.event.FileChange;
import dev.runyard.runner.backend.FileEdit;
import dev.runyard.runner.backend.ToolCalls;
import dev.runyard.runner.backend.ToolFacts;
import java.util.List;
import java.util.Set;

/// The tools of Claude Code that change files or state a plan, and what their results say.
final class ClaudeTools {
  static final ToolFacts FACTS =
      new ToolFacts(
          Set.of("Edit", "MultiEdit", "NotebookEdit"), Set.of("Write"), Set.of("TodoWrite"));

  private ClaudeTools() {}

  /// A call's result. Of a large output the model sees only a part; the tool itself says more, and
  /// how large the output was.
  ///
  /// @param shown the part that the model sees
  static ToolCalls.Result result(boolean failed, String shown, JsonNode said) {
    long size = said.path("persistedOutputSize").asLong(0);
    String more = said.path("stdout").asText("");
    return size > 0 && more.length() > shown.length()
        ? new ToolCalls.Result(failed, null, more, size, edits(said))
        : ToolCalls.Result.of(failed, shown).with(edits(said));
  }

  /// The written file of a result; other results do not name the change.
  private static List<FileEdit> edits(JsonNode said) {
    String path = said.path("filePath").asText("");
    if (path.isEmpty()) {
      return List.of();
    }
    return switch (said.path("type").asText("")) {
      case "create" -> List.of(new FileEdit(path, FileChange.CREATED));
      case "update" -> List.of(new FileEdit(path, FileChange.MODIFIED));
      default -> List.of();
    };
  }
}
