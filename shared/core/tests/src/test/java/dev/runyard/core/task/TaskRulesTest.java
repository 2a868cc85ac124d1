package dev.runyard.core.task;

import static dev.runyard.core.task.FoldedTask.REQUEST;
import static dev.runyard.core.task.FoldedTask.TERMS;
import static dev.runyard.core.task.FoldedTask.WHY;
import static dev.runyard.core.task.FoldedTask.accepted;
import static dev.runyard.core.task.FoldedTask.began;
import static dev.runyard.core.task.FoldedTask.blockedBy;
import static dev.runyard.core.task.FoldedTask.completed;
import static dev.runyard.core.task.FoldedTask.draft;
import static dev.runyard.core.task.FoldedTask.edge;
import static dev.runyard.core.task.FoldedTask.held;
import static dev.runyard.core.task.FoldedTask.terms;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.core.event.Requester;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// What each command does to a task, by what became of the task before.
final class TaskRulesTest {
  private static final Requester BY = Requester.of("key:k1");
  private static final TaskDecision STAY = new TaskDecision.Stay();
  private static final TaskEvent DONE = new TaskEvent.Completed(null);
  private static final TaskEvent FAILED = new TaskEvent.Failed(WHY);
  private static final TaskEvent PAUSED = new TaskEvent.Paused("later");
  private static final TaskEvent STOPPING = new TaskEvent.CancelRequested("enough");
  private static final TaskEvent ARCHIVED = new TaskEvent.Archived();
  private static final TaskCommand COMPLETE = new TaskCommand.Complete(null, BY);
  private static final TaskCommand FAIL = new TaskCommand.Fail(WHY, BY);
  private static final TaskCommand PAUSE = new TaskCommand.Pause("later", BY);
  private static final TaskCommand RESUME = new TaskCommand.Resume(false, false, BY);
  private static final TaskCommand CANCEL = new TaskCommand.Cancel("enough", BY);

  private static void assertRefused(
      TaskDecision.Reason reason, TaskState task, TaskCommand command) {
    assertEquals(new TaskDecision.Refuse(reason), TaskRules.decide(task, command));
  }

  private static void assertStays(TaskState task, TaskCommand command) {
    assertEquals(STAY, TaskRules.decide(task, command));
  }

  private static void assertAppends(TaskState task, TaskCommand command, TaskEvent... events) {
    assertEquals(new TaskDecision.Append(List.of(events)), TaskRules.decide(task, command));
  }

  private static TaskCommand create(TaskTerms terms) {
    return new TaskCommand.Create(terms, null, false, Optional.empty(), BY);
  }

  private static TaskCommand start(String run, @Nullable Integer number, @Nullable String reason) {
    return new TaskCommand.Start(run, number, REQUEST, reason, BY);
  }

  private static TaskCommand hold(@Nullable String reason) {
    return new TaskCommand.Hold(REQUEST, reason, BY);
  }

  private static TaskCommand link(EdgeKind kind, String to, TaskEdge.Status status) {
    return new TaskCommand.Link(kind, to, status, null, BY);
  }

  private static TaskCommand unlink(EdgeKind kind, String to) {
    return new TaskCommand.Unlink(kind, to, false, null, BY);
  }

  private static TaskCommand update(TaskTerms terms) {
    return new TaskCommand.Update(TERMS, terms, null, false, BY);
  }

  private static TaskEvent[] started(String run, int attempt, @Nullable String reason) {
    return new TaskEvent[] {
      new TaskEvent.AttemptStarted(attempt, run, reason, REQUEST),
      new TaskEvent.Moved(run, TaskStatus.QUEUED, null, 0, null)
    };
  }

  @Test
  void anArchivedTaskKnowsWhatWasAskedOfItBefore() {
    TaskState task =
        accepted(
            edge(EdgeKind.EVIDENCE, "e", TaskEdge.Status.ACTIVE),
            new TaskEvent.JobAdded("j1"),
            began(1, "run-1"),
            completed(1, "run-1"),
            DONE,
            ARCHIVED);

    assertStays(task, create(TERMS));
    assertRefused(TaskDecision.Reason.MISMATCH, task, create(terms("write it", "other")));
    assertStays(task, new TaskCommand.Archive(BY));
    assertStays(task, new TaskCommand.Saw(List.of(), List.of("t2")));
    assertStays(task, new TaskCommand.Reached());
    assertStays(task, start("run-1", null, null));
    assertStays(task, new TaskCommand.AddJob("j1", BY));
    assertStays(task, COMPLETE);
    assertStays(task, link(EdgeKind.EVIDENCE, "e", TaskEdge.Status.ACTIVE));
    assertStays(task, unlink(EdgeKind.EVIDENCE, "other"));
    assertStays(accepted(STOPPING, new TaskEvent.Cancelled("enough"), ARCHIVED), CANCEL);
  }

  @Test
  void anArchivedTaskTakesNothingNew() {
    TaskState task = accepted(edge(EdgeKind.EVIDENCE, "e", TaskEdge.Status.ACTIVE), DONE, ARCHIVED);

    for (TaskCommand command :
        List.of(
            start("run-1", null, null),
            new TaskCommand.AddJob("j1", BY),
            CANCEL,
            FAIL,
            PAUSE,
            RESUME,
            hold(null),
            update(TERMS),
            link(EdgeKind.EVIDENCE, "other", TaskEdge.Status.ACTIVE),
            unlink(EdgeKind.EVIDENCE, "e"))) {
      assertRefused(TaskDecision.Reason.CLOSED, task, command);
    }
    assertRefused(TaskDecision.Reason.CLOSED, accepted(FAILED, ARCHIVED), COMPLETE);
    assertRefused(TaskDecision.Reason.CLOSED, accepted(FAILED, ARCHIVED), CANCEL);
  }

  @Test
  void isChangedUntilItIsOverUnlessItMayBeTriedAgain() {
    TaskTerms other = terms("write more", "sent");

    assertAppends(accepted(), update(other), new TaskEvent.Updated(other, null));
    assertAppends(accepted(FAILED), update(other), new TaskEvent.Updated(other, null));
    assertRefused(TaskDecision.Reason.CLOSED, accepted(DONE), update(other));
    assertRefused(TaskDecision.Reason.CLOSED, accepted(began(1, "run-1"), STOPPING), update(other));
    assertRefused(
        TaskDecision.Reason.CHANGED, accepted(new TaskEvent.Updated(other, null)), update(other));
    assertStays(accepted(), update(TERMS));
  }

  @Test
  void startsOneRunOnce() {
    assertAppends(accepted(), start("run-1", 1, null), started("run-1", 1, null));
    assertStays(accepted(began(1, "run-1")), start("run-1", 1, null));
    assertRefused(
        TaskDecision.Reason.STARTED, accepted(began(1, "run-1")), start("run-2", 2, null));
    assertRefused(TaskDecision.Reason.STARTED, accepted(), start("run-2", 2, null));
    assertAppends(
        accepted(began(1, "run-1")), start("run-2", null, null), started("run-2", 2, null));
  }

  @Test
  void startsNothingBeforeItsTime() {
    TaskCommand start = start("run-9", null, null);

    assertRefused(TaskDecision.Reason.DRAFT, draft(), start);
    assertRefused(TaskDecision.Reason.PAUSED, accepted(PAUSED), start);
    assertRefused(TaskDecision.Reason.BLOCKED, accepted(blockedBy("t2")), start);
    assertRefused(TaskDecision.Reason.BLOCKED, accepted(held()), start);
    assertRefused(TaskDecision.Reason.CLOSED, accepted(DONE), start);
    assertRefused(TaskDecision.Reason.CLOSED, accepted(FAILED), start);
  }

  @Test
  void saysOnceThatItIsTriedAgain() {
    TaskEvent[] again = started("run-2", 2, "better");
    TaskState failed = accepted(began(1, "run-1"), completed(1, "run-1"), FAILED);

    assertAppends(
        failed, start("run-2", 2, "better"), new TaskEvent.Retrying("better"), again[0], again[1]);
    TaskState waiting = accepted(began(1, "run-1"), completed(1, "run-1"), FAILED, held());
    assertAppends(waiting, start("run-2", 2, "better"), again);
  }

  @Test
  void startsNoMoreRunsThanATaskMayHave() {
    List<TaskEvent> events = new ArrayList<>();
    for (int i = 1; i < TaskLimits.RUNS_MAX; i++) {
      events.add(began(i, "run-" + i));
      events.add(completed(i, "run-" + i));
    }
    TaskEvent[] last = started("run-x", TaskLimits.RUNS_MAX, null);
    assertAppends(accepted(events.toArray(TaskEvent[]::new)), start("run-x", null, null), last);

    events.add(last[0]);
    events.add(completed(TaskLimits.RUNS_MAX, "run-x"));

    TaskState out = accepted(events.toArray(TaskEvent[]::new));
    assertRefused(TaskDecision.Reason.RUN_OUT, out, start("run-y", null, null));
    assertRefused(TaskDecision.Reason.RUN_OUT, out, hold(null));
  }

  @Test
  void holdsARunOnce() {
    TaskState blocked = accepted(blockedBy("t2"));

    assertAppends(blocked, hold(null), new TaskEvent.Blocked(List.of("t2"), REQUEST, null));
    assertStays(accepted(blockedBy("t2"), held()), hold(null));
    assertRefused(TaskDecision.Reason.STARTED, accepted(began(1, "run-1")), hold(null));
    assertRefused(TaskDecision.Reason.DRAFT, draft(), hold(null));
    assertRefused(TaskDecision.Reason.CLOSED, accepted(DONE), hold("better"));
    assertAppends(
        accepted(FAILED),
        hold("better"),
        new TaskEvent.Retrying("better"),
        new TaskEvent.Blocked(List.of(), REQUEST, "better"));
  }

  @Test
  void isCompletedBySomebodyWhileNothingRunsOrIsInItsWay() {
    assertAppends(accepted(), COMPLETE, DONE);
    assertStays(accepted(DONE), COMPLETE);
    assertRefused(TaskDecision.Reason.DRAFT, draft(), COMPLETE);
    assertRefused(TaskDecision.Reason.RUNNING, accepted(began(1, "run-1")), COMPLETE);
    assertRefused(TaskDecision.Reason.BLOCKED, accepted(blockedBy("t2")), COMPLETE);
    assertRefused(TaskDecision.Reason.CLOSED, accepted(FAILED), COMPLETE);
    assertRefused(TaskDecision.Reason.CLOSED, accepted(began(1, "run-1"), STOPPING), COMPLETE);
  }

  @Test
  void isFailedBySomebodyWhileNothingRuns() {
    assertAppends(accepted(), FAIL, FAILED);
    assertAppends(accepted(blockedBy("t2")), FAIL, FAILED);
    assertStays(accepted(FAILED), FAIL);
    assertRefused(TaskDecision.Reason.DRAFT, draft(), FAIL);
    assertRefused(TaskDecision.Reason.RUNNING, accepted(began(1, "run-1")), FAIL);
    assertRefused(TaskDecision.Reason.CLOSED, accepted(DONE), FAIL);
  }

  @Test
  void isPausedAndResumedOnce() {
    assertAppends(accepted(), PAUSE, PAUSED);
    assertStays(accepted(PAUSED), PAUSE);
    assertRefused(TaskDecision.Reason.DRAFT, draft(), PAUSE);
    assertRefused(TaskDecision.Reason.CLOSED, accepted(DONE), PAUSE);

    assertAppends(accepted(PAUSED), RESUME, new TaskEvent.Resumed(null));
    assertStays(accepted(), RESUME);
    assertRefused(TaskDecision.Reason.CLOSED, accepted(DONE), RESUME);
  }

  @Test
  void isResumedWhenTheRunsThatWereTakenBackHaveEnded() {
    TaskState running = accepted(began(1, "run-1"), PAUSED);

    assertRefused(TaskDecision.Reason.RUNNING, running, RESUME);
    assertAppends(running, new TaskCommand.Resume(false, true, BY), new TaskEvent.Resumed(null));
    assertAppends(running, new TaskCommand.Resume(true, false, BY), new TaskEvent.Resumed(true));
  }

  @Test
  void isAPartOfOneTask() {
    TaskCommand second = link(EdgeKind.PARENT, "t3", TaskEdge.Status.PENDING);

    assertAppends(accepted(), second, edge(EdgeKind.PARENT, "t3", TaskEdge.Status.PENDING));
    assertRefused(
        TaskDecision.Reason.HAS_PARENT,
        accepted(edge(EdgeKind.PARENT, "t2", TaskEdge.Status.ACTIVE)),
        second);
  }

  @Test
  void whatIsOverTakesNoPartsAndWaitsForNothing() {
    for (EdgeKind kind : List.of(EdgeKind.CHILD, EdgeKind.PARENT, EdgeKind.BLOCKED_BY)) {
      TaskEdge.Status status =
          kind == EdgeKind.CHILD ? TaskEdge.Status.ACTIVE : TaskEdge.Status.PENDING;
      assertRefused(TaskDecision.Reason.CLOSED, accepted(DONE), link(kind, "t2", status));
      assertAppends(accepted(FAILED), link(kind, "t2", status), edge(kind, "t2", status));
    }
    assertAppends(
        accepted(DONE),
        link(EdgeKind.EVIDENCE, "e", TaskEdge.Status.ACTIVE),
        edge(EdgeKind.EVIDENCE, "e", TaskEdge.Status.ACTIVE));
  }

  @Test
  void anEdgeGoesOnlyFurther() {
    TaskState task = accepted(blockedBy("t2"));

    assertStays(task, link(EdgeKind.BLOCKED_BY, "t2", TaskEdge.Status.PENDING));
    assertStays(task, link(EdgeKind.BLOCKED_BY, "t2", TaskEdge.Status.ACTIVE));
    assertAppends(
        task,
        link(EdgeKind.BLOCKED_BY, "t2", TaskEdge.Status.SATISFIED),
        edge(EdgeKind.BLOCKED_BY, "t2", TaskEdge.Status.SATISFIED));
    assertStays(accepted(), link(EdgeKind.BLOCKED_BY, "t2", TaskEdge.Status.ACTIVE));
  }

  /// Others may have found out meanwhile that the edge is right.
  @Test
  void onlyAnEdgeThatIsBeingLookedAtIsWithdrawn() {
    TaskCommand withdraw = new TaskCommand.Unlink(EdgeKind.BLOCKED_BY, "t2", true, null, BY);

    assertStays(accepted(blockedBy("t2")), withdraw);
    assertAppends(
        accepted(edge(EdgeKind.BLOCKED_BY, "t2", TaskEdge.Status.PENDING)),
        withdraw,
        new TaskEvent.DependencyUpdated(EdgeKind.BLOCKED_BY, "t2", null, null));
  }

  @Test
  void nothingButItsCreationIsDoneToATaskThatIsNotThere() {
    assertRefused(TaskDecision.Reason.NO_TASK, TaskState.absent(), PAUSE);
    assertAppends(
        TaskState.absent(),
        create(TERMS),
        new TaskEvent.Created(TERMS, null),
        new TaskEvent.Accepted());
  }
}
