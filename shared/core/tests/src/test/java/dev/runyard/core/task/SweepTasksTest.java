package dev.runyard.core.task;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// What it costs that a task waits.
final class SweepTasksTest {
  private final TaskRig rig = new TaskRig();

  private void oneWaits() {
    rig.created("first");
    rig.created("second");
    TaskRig.done(rig.link("second", EdgeKind.BLOCKED_BY, "first"));
    rig.tasks.projectTask().project(TaskRig.key("second"));
  }

  @Test
  void looksAtOneThatWaitsEveryTenMinutes() {
    oneWaits();
    SweepTasks sweep = rig.tasks.sweepTasks();
    rig.pass(Duration.ofSeconds(TaskState.CHECK_SECONDS));
    sweep.sweep(TaskRig.key("second"), rig.clock.instant());
    TaskRig.done(rig.manage.complete(TaskRig.BY, "first", null));

    for (int minute = 1; minute < 9; minute++) {
      rig.pass(Duration.ofMinutes(1));
      sweep.sweep(TaskRig.key("second"), rig.clock.instant());
      assertEquals(List.of("first"), rig.task("second").blockers());
    }
    rig.pass(Duration.ofMinutes(1));
    sweep.sweep(TaskRig.key("second"), rig.clock.instant());
    assertEquals(List.of(), rig.task("second").blockers());
  }

  /// What is new in a task that was just looked at is looked at too.
  @Test
  void looksAtOneThatHasChanged() {
    oneWaits();
    SweepTasks sweep = rig.tasks.sweepTasks();
    sweep.sweep(TaskRig.key("second"), rig.clock.instant());
    TaskRig.done(rig.manage.pause(TaskRig.BY, "second", "later"));
    rig.tasks.projectTask().project(TaskRig.key("second"));
    TaskRig.done(rig.manage.complete(TaskRig.BY, "first", null));
    sweep.sweep(TaskRig.key("second"), rig.clock.instant());

    assertEquals(List.of(), rig.task("second").blockers());
  }

  @Test
  void writesNoSnapshotWhereNothingIsNew() {
    oneWaits();
    Kept kept = new Kept(rig.tasks.models(), new ArrayList<>());
    SweepTasks sweep =
        new SweepTasks(kept, rig.tasks.advanceTask(), new ProjectTask(rig.tasks.log(), kept));
    rig.pass(Duration.ofSeconds(TaskState.CHECK_SECONDS));
    sweep.sweep(TaskRig.key("second"), rig.clock.instant());
    assertEquals(List.of(), kept.saved());

    TaskRig.done(rig.manage.complete(TaskRig.BY, "first", null));
    rig.pass(Duration.ofSeconds(TaskState.CHECK_SECONDS));
    sweep.sweep(TaskRig.key("second"), rig.clock.instant());
    assertEquals(List.of(rig.task("second").sequence()), kept.saved());
  }

  /// Snapshots, with the sequences of those that were written.
  private record Kept(TaskModels models, List<Long> saved) implements TaskModels {
    @Override
    public Optional<TaskState.Existing> snapshot(TaskKey task) {
      return models.snapshot(task);
    }

    @Override
    public boolean save(TaskState.Existing task) {
      saved.add(task.sequence());
      return models.save(task);
    }

    @Override
    public List<TaskState.Existing> newest(String tenant, int limit, Optional<String> after) {
      return models.newest(tenant, limit, after);
    }

    @Override
    public List<TaskKey> due(int shard, Instant now, int limit) {
      return models.due(shard, now, limit);
    }
  }
}
