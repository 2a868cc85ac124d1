package dev.runyard.core.task;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Snapshots of tasks: each is the fold of a task's log up to its sequence. They serve lists, save
/// reads, and tell `sweep` which tasks are due. They may lag behind the log.
///
/// Calls fail with [dev.runyard.core.problem.PortUnavailable] if the store does not answer.
public interface TaskModels {
  /// Shards of the index of tasks that go on by themselves; one task is always in the same shard.
  int DUE_SHARDS = 4;

  Optional<TaskState.Existing> snapshot(TaskKey task);

  /// Saves the snapshot unless the stored one is as new. False when it was not saved.
  boolean save(TaskState.Existing task);

  /// Tasks of a tenant, newest first, at most `limit`, beginning after the place `after`.
  TaskPage list(String tenant, int limit, Optional<String> after);

  /// Tasks of a shard that are due, earliest first, at most `limit`.
  List<TaskKey> due(int shard, Instant now, int limit);

  static int shardOf(TaskKey task) {
    return Math.floorMod(task.partition().hashCode(), DUE_SHARDS);
  }

  /// The place of a task in its tenant's list: later ones were created later.
  static String placeOf(TaskState.Existing task) {
    return "%013d#%s"
        .formatted(task.facts().createdAt().toEpochMilli(), task.facts().task().taskId());
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
          page, found.size() > limit ? Optional.of(placeOf(page.getLast())) : Optional.empty());
    }
  }
}
