package dev.runyard.testkit.contract;

import dev.runyard.core.projection.ModelKind;
import dev.runyard.core.projection.Models;
import dev.runyard.core.task.TaskKey;
import dev.runyard.core.task.TaskModels;
import dev.runyard.core.task.TaskState;
import java.time.Instant;

/// What every [TaskModels] promises.
public abstract class TaskModelsContract extends ModelsContract<TaskKey, TaskState.Existing> {
  /// The store under test; it may hold tasks of other tenants.
  protected abstract TaskModels taskModels();

  @Override
  final Models<TaskKey, TaskState.Existing> models() {
    return taskModels();
  }

  @Override
  final ModelKind<TaskKey, TaskState.Existing> kind() {
    return TaskModels.KIND;
  }

  @Override
  final TaskState.Existing created(TaskKey key, Instant at) {
    return SampleTasks.created(key, at);
  }

  @Override
  final TaskState.Existing running(TaskKey key, Instant at) {
    return SampleTasks.running(key, at);
  }
}
