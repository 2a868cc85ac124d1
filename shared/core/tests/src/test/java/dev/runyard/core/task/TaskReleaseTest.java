package dev.runyard.core.task;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.crash.CrashPoint;
import dev.runyard.core.quota.Quotas;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// What the end of a task costs for which many others wait.
final class TaskReleaseTest {
  /// A load of a task by a process that has not seen it, and a write.
  private static final int CALLS_OF_A_NOTICE_MAX = 3;

  private static final int CALLS_OF_A_START_MAX = 20;

  private static final List<String> WAITING =
      IntStream.range(0, TaskLimits.EDGES_MAX).mapToObj(i -> "waits-" + i).toList();

  private final TaskRig rig = new TaskRig();
  private final CrashPoint calls = new CrashPoint(Integer.MAX_VALUE, true);
  private final AdvanceTask advance =
      rig.cases(
              Quotas.NONE,
              ports ->
                  calls.process(
                      ports,
                      name ->
                          name.equals("tasks")
                              ? calls.counted(TaskModels.class, ports.tasks())
                              : null))
          .tasks()
          .advanceTask();

  @Test
  void tellsEachThatWaitsAndLeavesItsStartToItsOwnRecord() {
    manyWait();

    assertAtMost(
        CALLS_OF_A_NOTICE_MAX * TaskLimits.EDGES_MAX + CALLS_OF_A_START_MAX,
        () -> advance.advance(TaskRig.key("first"), List.of()));
    for (String waiting : WAITING) {
      assertAtMost(CALLS_OF_A_START_MAX, () -> advance.advance(TaskRig.key(waiting), List.of()));
      rig.assertStatus("queued", waiting);
    }
  }

  @Test
  void sweepStartsThoseWhoseRecordsWereLost() {
    manyWait();
    advance.advance(TaskRig.key("first"), List.of());
    rig.pass(Duration.ofSeconds(TaskState.CHECK_SECONDS));
    rig.sweep();

    WAITING.forEach(waiting -> rig.assertStatus("queued", waiting));
  }

  private void manyWait() {
    rig.created("first");
    for (String waiting : WAITING) {
      rig.created(waiting);
      TaskRig.done(rig.link(waiting, EdgeKind.BLOCKED_BY, "first"));
      TaskRig.done(rig.manage.start(TaskRig.BY, waiting, null));
      rig.tasks.projectTask().project(TaskRig.key(waiting));
    }
    TaskRig.done(rig.manage.complete(TaskRig.BY, "first", null));
  }

  private void assertAtMost(int most, Runnable step) {
    int before = calls.calls();
    step.run();
    int made = calls.calls() - before;
    assertTrue(made <= most, () -> made + " calls");
  }
}
