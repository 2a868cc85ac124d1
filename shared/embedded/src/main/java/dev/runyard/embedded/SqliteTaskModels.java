package dev.runyard.embedded;

import dev.runyard.core.task.TaskKey;
import dev.runyard.core.task.TaskModels;
import dev.runyard.core.task.TaskState;
import java.time.Duration;
import java.time.InstantSource;

/// Snapshots of tasks as a table.
final class SqliteTaskModels extends SqliteModels<TaskKey, TaskState.Existing>
    implements TaskModels {
  SqliteTaskModels(StoreDatabase database, Duration retention, InstantSource clock) {
    super(KIND, database, retention, clock);
  }
}
