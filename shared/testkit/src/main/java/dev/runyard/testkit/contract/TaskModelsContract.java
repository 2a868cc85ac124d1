package dev.runyard.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.core.projection.ModelKind;
import dev.runyard.core.projection.Models;
import dev.runyard.core.task.TaskKey;
import dev.runyard.core.task.TaskModels;
import dev.runyard.core.task.TaskState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

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

  @Test
  void pagesThroughThoseOfATenant() {
    String tenant = SampleRuns.tenant();
    Instant at = Instant.parse("2026-03-01T12:00:00Z");
    TaskState.Existing older = created(new TaskKey(tenant, "older"), at);
    TaskState.Existing newer = created(new TaskKey(tenant, "newer"), at.plusSeconds(1));
    TaskModels models = taskModels();
    models.save(older);
    models.save(newer);

    TaskModels.TaskPage first = models.list(tenant, 1, Optional.empty());
    assertEquals(List.of(newer), first.tasks());
    TaskModels.TaskPage rest = models.list(tenant, 1, first.next());
    assertEquals(List.of(older), rest.tasks());
    assertEquals(Optional.empty(), rest.next());
  }
}
