package dev.runyard.core.task;

import static dev.runyard.core.task.FoldedTask.AT;
import static dev.runyard.core.task.FoldedTask.WHY;
import static dev.runyard.core.task.FoldedTask.accepted;
import static dev.runyard.core.task.FoldedTask.began;
import static dev.runyard.core.task.FoldedTask.blockedBy;
import static dev.runyard.core.task.FoldedTask.completed;
import static dev.runyard.core.task.FoldedTask.draft;
import static dev.runyard.core.task.FoldedTask.edge;
import static dev.runyard.core.task.FoldedTask.held;
import static dev.runyard.core.task.FoldedTask.moved;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// How a task is doing by its events, and when it is looked at though nobody told of a change.
final class TaskStateTest {
  private static final TaskEvent PAUSED = new TaskEvent.Paused("later");
  private static final TaskEvent CANCELLING = new TaskEvent.CancelRequested("enough");
  private static final Optional<Duration> NEVER = Optional.empty();
  private static final Optional<Duration> SOON =
      Optional.of(Duration.ofSeconds(TaskState.STEP_SECONDS));
  private static final Optional<Duration> LATER =
      Optional.of(Duration.ofSeconds(TaskState.CHECK_SECONDS));

  @Test
  void isLookedAtSoonWhileAStepOfItIsNotDone() {
    assertEquals(SOON, accepted(began(1, "run-1"), CANCELLING).pace());
    assertEquals(SOON, accepted(held()).pace());
    TaskEvent pending = edge(EdgeKind.BLOCKED_BY, "t2", TaskEdge.Status.PENDING);
    assertEquals(SOON, accepted(pending).pace());
    assertEquals(SOON, accepted(pending, new TaskEvent.Failed(WHY)).pace());
  }

  @Test
  void isLookedAtLaterWhileItRunsOrWaits() {
    assertEquals(LATER, accepted(began(1, "run-1")).pace());
    assertEquals(LATER, accepted(blockedBy("t2")).pace());
    assertEquals(LATER, accepted(blockedBy("t2"), held()).pace());
    assertEquals(LATER, accepted(began(1, "run-1"), moved("run-1", TaskStatus.PAUSED)).pace());
    assertEquals(LATER, accepted(began(1, "run-1"), PAUSED).pace());
  }

  @Test
  void isNotLookedAtWhileNothingGoesOn() {
    assertEquals(NEVER, TaskState.absent().pace());
    assertEquals(NEVER, draft().pace());
    assertEquals(NEVER, accepted().pace());
    assertEquals(NEVER, accepted(held(), PAUSED).pace());
    assertEquals(
        NEVER, accepted(began(1, "run-1"), moved("run-1", TaskStatus.PAUSED), PAUSED).pace());
    assertEquals(NEVER, accepted(new TaskEvent.Completed(null)).pace());
    assertEquals(NEVER, accepted(new TaskEvent.Completed(null), new TaskEvent.Archived()).pace());
  }

  @Test
  void isDueAfterItsNewestEvent() {
    Instant newest = AT.plusSeconds(2);

    assertEquals(
        Optional.of(newest.plusSeconds(TaskState.CHECK_SECONDS)),
        accepted(began(1, "run-1")).dueAt());
    assertEquals(Optional.empty(), accepted().dueAt());
    assertEquals(Optional.empty(), TaskState.absent().dueAt());
  }

  @Test
  void theRunThatIsFurthestSaysHowItIsDoing() {
    List<TaskStatus> furthest =
        List.of(
            TaskStatus.RUNNING,
            TaskStatus.WAITING_PERMISSION,
            TaskStatus.WAITING_INPUT,
            TaskStatus.WAITING_RESOURCE,
            TaskStatus.RETRYING,
            TaskStatus.QUEUED);
    for (int i = 1; i < furthest.size(); i++) {
      TaskEvent[] both = {
        began(1, "run-1"),
        moved("run-1", furthest.get(i)),
        began(2, "run-2"),
        moved("run-2", furthest.get(i - 1))
      };
      assertEquals(furthest.get(i - 1), accepted(both).status());
    }
  }

  @Test
  void goesOnWhenItIsTriedAgain() {
    TaskEvent failed = new TaskEvent.Failed(WHY);

    for (TaskEvent ended : List.of(failed, new TaskEvent.TimedOut(WHY), new TaskEvent.Lost(WHY))) {
      assertEquals(TaskStatus.QUEUED, accepted(ended, began(1, "run-1")).status());
      assertEquals(TaskStatus.BLOCKED, accepted(ended, held()).status());
      assertEquals(TaskStatus.CANCELLING, accepted(ended, CANCELLING).status());
    }
    assertEquals(TaskStatus.TIMED_OUT, accepted(new TaskEvent.TimedOut(WHY)).status());
    assertEquals(TaskStatus.LOST, accepted(new TaskEvent.Lost(WHY)).status());
    assertEquals(
        TaskStatus.CANCELLED, accepted(CANCELLING, new TaskEvent.Cancelled("enough")).status());
  }

  @Test
  void holdsNoRunWhenItIsCancelledOrHasEnded() {
    assertEquals(0, accepted(held(), CANCELLING).facts().heldAt());
    assertEquals(0, accepted(held(), new TaskEvent.Failed(WHY)).facts().heldAt());
    assertEquals(0, accepted(held(), began(1, "run-1")).facts().heldAt());
  }

  /// A run of a paused task that was taken back starts again; one that failed by itself does not.
  @Test
  void holdsTheRunThatWasTakenBackForAPause() {
    TaskEvent.AttemptFailed takenBack =
        new TaskEvent.AttemptFailed(2, "run-2", null, TaskStatus.CANCELLED, WHY, true);
    TaskEvent[] before = {began(1, "run-1"), completed(1, "run-1"), began(2, "run-2"), PAUSED};

    assertEquals(
        5, accepted(before[0], before[1], before[2], before[3], takenBack).facts().heldAt());
    TaskEvent.AttemptFailed failed =
        new TaskEvent.AttemptFailed(2, "run-2", null, TaskStatus.FAILED, WHY, null);
    assertEquals(0, accepted(before[0], before[1], before[2], before[3], failed).facts().heldAt());
    TaskEvent.AttemptFailed bySomebody =
        new TaskEvent.AttemptFailed(2, "run-2", null, TaskStatus.CANCELLED, WHY, false);
    assertEquals(
        0, accepted(before[0], before[1], before[2], before[3], bySomebody).facts().heldAt());
  }
}
