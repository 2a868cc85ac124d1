package dev.runyard.runner.backend;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.event.FileChange;
import dev.runyard.core.event.RunEvent;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What the tools of a CLI do, by name: which of them change the file their input names, and which
/// state the agent's plan. Files and plans are reported only once the call has succeeded. CLIs
/// differ in names; their inputs are similar.
///
/// @param edits change an existing file
/// @param writes create a file, or replace its contents
/// @param plans state the whole plan
public record ToolFacts(Set<String> edits, Set<String> writes, Set<String> plans) {
  /// Nothing is known about any tool.
  public static final ToolFacts NONE = new ToolFacts(Set.of(), Set.of(), Set.of());

  private static final List<String> PATHS =
      List.of("file_path", "filePath", "path", "notebook_path", "absolute_path");
  private static final List<String> REPLACED = List.of("old_string", "oldString", "oldText");

  public ToolFacts {
    edits = Set.copyOf(edits);
    writes = Set.copyOf(writes);
    plans = Set.copyOf(plans);
  }

  /// The file that a call changes.
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
  Optional<RunEvent.TaskProgress> plan(String tool, JsonNode input) {
    return plans.contains(tool) ? PlanReader.read(input) : Optional.empty();
  }

  /// An edit that replaces nothing creates the file if there is none.
  private static boolean makes(JsonNode input) {
    return REPLACED.stream()
        .anyMatch(
            member -> input.path(member).isTextual() && input.path(member).asText().isEmpty());
  }
}
