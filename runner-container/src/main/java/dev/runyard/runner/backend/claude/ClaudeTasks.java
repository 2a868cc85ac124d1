package dev.runyard.runner.backend.claude;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.event.PlanEntry;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.limits.Bounds;
import dev.runyard.runner.backend.EventShaper;
import dev.runyard.runner.backend.PlanReader;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The plan of Claude Code as its task tools change it: newer releases create, change and drop one
/// task at a time, and say so in the results. Not thread-safe.
final class ClaudeTasks {
  static final int TASKS_MAX = 256;

  /// A task with a longer id is left out.
  static final int TASK_ID_CHARS_MAX = 256;

  private static final String DELETED = "deleted";

  private final Map<String, PlanEntry> tasks = new LinkedHashMap<>();

  /// The plan after a tool's result; empty if the result is not about a task.
  Optional<RunEvent> changed(JsonNode said) {
    if (said.at("/task/subject").isTextual() && said.at("/task/id").isTextual()) {
      return put(said.path("task"), "");
    }
    if (said.path("tasks").isArray()) {
      tasks.clear();
      said.path("tasks").forEach(task -> put(task, task.path("status").asText("")));
      return now();
    }
    PlanEntry known = tasks.get(said.path("taskId").asText(""));
    String to = said.at("/statusChange/to").asText("");
    if (known == null || to.isEmpty()) {
      return Optional.empty();
    }
    if (to.equals(DELETED)) {
      tasks.remove(said.path("taskId").asText());
    } else {
      tasks.put(said.path("taskId").asText(), new PlanEntry(known.text(), PlanReader.status(to)));
    }
    return now();
  }

  private Optional<RunEvent> put(JsonNode task, String status) {
    String id = task.path("id").asText("");
    if (tasks.size() < TASKS_MAX && id.length() <= TASK_ID_CHARS_MAX) {
      String subject = Bounds.wellFormed(task.path("subject").asText(""));
      tasks.put(
          id,
          new PlanEntry(
              Bounds.truncate(subject, EventShaper.PLAN_ENTRY_BYTES_MAX),
              PlanReader.status(status)));
    }
    return now();
  }

  private Optional<RunEvent> now() {
    return Optional.of(new RunEvent.TaskProgress(List.copyOf(tasks.values())));
  }
}
