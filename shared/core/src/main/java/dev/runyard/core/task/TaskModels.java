package dev.runyard.core.task;

import dev.runyard.core.projection.ModelKind;
import dev.runyard.core.projection.Models;

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
}
