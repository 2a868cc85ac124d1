package dev.runyard.runner.backend;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.event.FileChange;
import dev.runyard.core.event.RunEvent;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What the tools of a CLI do, by their names: which of them change the file their input names, and
/// which state the agent's plan. So a run has files and plans as facts, which are true once the
/// call has succeeded. CLIs differ in names; their inputs are alike.
///
/// @param edits change a file that is there
/// @param writes make a file, or replace what is in it
/// @param plans state the whole plan
public record ToolFacts(Set<String> edits, Set<String> writes, Set<String> plans) {
  /// Nothing is known of any tool.
  public static final ToolFacts NONE = new ToolFacts(Set.of(), Set.of(), Set.of());

  private static final List<String> PATHS =
      List.of("file_path", "filePath", "path", "notebook_path", "absolute_path");
  private static final List<String> REPLACED = List.of("old_string", "oldString", "oldText");

  public ToolFacts {
    edits = Set.copyOf(edits);
    writes = Set.copyOf(writes);
    plans = Set.copyOf(plans);
  }

  /// The file a call is to change.
  Optional<FileEdit> edit(String tool, JsonNode input) {
    if (!edits.contains(tool) && !writes.contains(tool)) {
      return Optional.empty();
    }
    FileChange change = edits.contains(tool) && !makes(input) ? FileChange.MODIFIED : null;
    return PATHS.stream()
        .map(member -> input.path(member).asText(""))
        .filter(path -> !path.isBlank())
        .findFirst()
        .map(path -> new FileEdit(path, change));
  }

  /// The plan a call states.
  Optional<RunEvent> plan(String tool, JsonNode input) {
    return plans.contains(tool) ? PlanReader.read(input) : Optional.empty();
  }

  /// An edit that replaces nothing makes the file where there is none.
  private static boolean makes(JsonNode input) {
    return REPLACED.stream()
        .anyMatch(
            member -> input.path(member).isTextual() && input.path(member).asText().isEmpty());
  }
}
