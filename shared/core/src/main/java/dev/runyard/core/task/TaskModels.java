package dev.runyard.core.task;

import dev.runyard.core.projection.ModelKind;
import dev.runyard.core.projection.Models;
import java.util.List;
import java.util.Optional;

/// Snapshots of tasks.
public interface TaskModels extends Models<TaskKey, TaskState.Existing> {
  /// How stores keep them.
  ModelKind<TaskKey, TaskState.Existing> KIND =
      new ModelKind<>(
          "task",
          TaskKey::new,
          task -> task.facts().task(),
          new ModelKind.Codec<>(TaskSnapshotCodec::pack, TaskSnapshotCodec::unpack),
          task -> task.facts().createdAt(),
          TaskState::dueAt);

  /// A page of the tasks of a tenant, newest first, beginning after the place `after`.
  default TaskPage list(String tenant, int limit, Optional<String> after) {
    return TaskPage.of(newest(tenant, limit + 1, after), limit);
  }

  /// One page of a list of tasks, and the place after which the next page begins.
  record TaskPage(List<TaskState.Existing> tasks, Optional<String> next) {
    public TaskPage {
      tasks = List.copyOf(tasks);
    }

    /// The page of what was found, which has one more than a page if there is a next one.
    public static TaskPage of(List<TaskState.Existing> found, int limit) {
      List<TaskState.Existing> page = found.subList(0, Math.min(limit, found.size()));
      return new TaskPage(
          page,
          found.size() > limit ? Optional.of(KIND.placeOf(page.getLast())) : Optional.empty());
    }
  }
}
