package dev.runyard.core.memory;

import dev.runyard.core.task.TaskKey;
import dev.runyard.core.task.TaskModels;
import dev.runyard.core.task.TaskState;

/// Snapshots of tasks in memory.
public final class MemoryTaskModels extends MemoryModels<TaskKey, TaskState.Existing>
    implements TaskModels {
  public MemoryTaskModels() {
    super(KIND);
  }
}
