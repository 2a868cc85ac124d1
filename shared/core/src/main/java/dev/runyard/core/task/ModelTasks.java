package dev.runyard.core.task;

import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.log.Snapshots;
import java.util.Optional;

/// The read models as the place where a fold of a task starts.
public record ModelTasks(TaskModels models) implements Snapshots<TaskState> {
  @Override
  public Optional<TaskState> latest(StreamKey key) {
    return models.snapshot((TaskKey) key).map(there -> there);
  }

  @Override
  public boolean keep(TaskState state) {
    return state instanceof TaskState.Existing task && models.save(task);
  }
}
