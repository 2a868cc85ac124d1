package dev.runyard.runner.backend.claude;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.event.FileChange;
import dev.runyard.runner.backend.FileEdit;
import dev.runyard.runner.backend.ToolFacts;
import java.util.List;
import java.util.Set;

/// The tools of Claude Code that change files or state a plan, and what their results say.
final class ClaudeTools {
  static final ToolFacts FACTS =
      new ToolFacts(
          Set.of("Edit", "MultiEdit", "NotebookEdit"), Set.of("Write"), Set.of("TodoWrite"));

  private ClaudeTools() {}

  /// What a result says of a file it wrote: other results do not name the change.
  static List<FileEdit> edits(JsonNode said) {
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
