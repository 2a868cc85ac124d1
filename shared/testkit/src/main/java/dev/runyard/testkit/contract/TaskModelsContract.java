package dev.runyard.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.task.TaskKey;
import dev.runyard.core.task.TaskModels;
import dev.runyard.core.task.TaskState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What every [TaskModels] promises.
public abstract class TaskModelsContract {
  private static final Instant AT = Instant.parse("2026-03-01T12:00:00Z");

  private TaskModels models;
  private TaskKey task;

  /// The store under test; it may hold tasks of other tenants.
  protected abstract TaskModels taskModels();

  @BeforeEach
  void open() {
    models = taskModels();
    task = new TaskKey(SampleRuns.tenant(), "t-1");
  }

  @Test
  void hasTheNewestSnapshot() {
    TaskState.Existing first = SampleTasks.created(task, AT);
    TaskState.Existing second = SampleTasks.running(task, AT);

    assertEquals(Optional.empty(), models.snapshot(task));
    assertTrue(models.save(first));
    assertEquals(Optional.of(first), models.snapshot(task));
    assertTrue(models.save(second));
    assertFalse(models.save(first));
    assertFalse(models.save(second));
    assertEquals(Optional.of(second), models.snapshot(task));
  }

  @Test
  void listsTheTasksOfOneTenantNewestFirst() {
    List<TaskState.Existing> made = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      made.add(SampleTasks.created(new TaskKey(task.tenant(), "t-" + i), AT.plusSeconds(i)));
    }
    made.forEach(models::save);
    models.save(SampleTasks.created(new TaskKey(SampleRuns.tenant(), "t-9"), AT));

    TaskModels.TaskPage first = models.list(task.tenant(), 3, Optional.empty());
    assertEquals(made.reversed().subList(0, 3), first.tasks());
    TaskModels.TaskPage rest = models.list(task.tenant(), 3, first.next());
    assertEquals(made.reversed().subList(3, 5), rest.tasks());
    assertEquals(Optional.empty(), rest.next());
  }

  @Test
  void findsTheTasksThatAreDue() {
    models.save(SampleTasks.created(new TaskKey(task.tenant(), "waits"), AT));
    models.save(SampleTasks.running(task, AT));
    int shard = TaskModels.shardOf(task);

    assertFalse(
        models.due(shard, AT.plusSeconds(TaskState.CHECK_SECONDS - 1), 100_000).contains(task));
    assertTrue(models.due(shard, AT.plusSeconds(TaskState.CHECK_SECONDS), 100_000).contains(task));
    assertFalse(
        models
            .due((shard + 1) % TaskModels.DUE_SHARDS, AT.plusSeconds(TaskState.CHECK_SECONDS), 9)
            .contains(task));
  }
}
