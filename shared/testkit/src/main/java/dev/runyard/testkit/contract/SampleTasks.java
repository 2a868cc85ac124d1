package dev.runyard.testkit.contract;

import dev.runyard.core.event.Requester;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.task.Acceptance;
import dev.runyard.core.task.EdgeKind;
import dev.runyard.core.task.RemoteTask;
import dev.runyard.core.task.StoredTaskEvent;
import dev.runyard.core.task.TaskEdge;
import dev.runyard.core.task.TaskEvent;
import dev.runyard.core.task.TaskFold;
import dev.runyard.core.task.TaskKey;
import dev.runyard.core.task.TaskProgress;
import dev.runyard.core.task.TaskState;
import dev.runyard.core.task.TaskStatus;
import dev.runyard.core.task.TaskTerms;
import dev.runyard.core.task.Visibility;
import java.time.Instant;
import java.util.List;

/// Tasks as contracts store them.
public final class SampleTasks {
  private static final String FIRST = "019c0000-0000-7000-8000-000000000001";
  private static final String SECOND = "019c0000-0000-7000-8000-000000000002";

  private SampleTasks() {}

  /// What a task is that has every member.
  public static TaskTerms terms() {
    return new TaskTerms(
        "größe \"x\"",
        "objective",
        "kind",
        "family",
        Visibility.BACKGROUND,
        7,
        "owner",
        "assignee",
        "scope",
        List.of("one", "two"),
        Acceptance.MANUAL,
        "s1",
        "t1",
        new RemoteTask("a2a", "r-1", "c-1", "working"),
        true,
        "fingerprint");
  }

  public static TaskState.Existing created(TaskKey task, Instant at) {
    return after(
        TaskState.absent(),
        task,
        at,
        List.of(
            new TaskEvent.Created(terms(), JsonFormat.JSON.createObjectNode().put("agent", "echo")),
            new TaskEvent.Accepted()));
  }

  /// The same with a run that failed, and another one.
  public static TaskState.Existing running(TaskKey task, Instant at) {
    Failure why = Failure.backend("agent_failed", "größe \"x\"");
    return after(
        created(task, at),
        task,
        at,
        List.of(
            new TaskEvent.AttemptStarted(1, FIRST, null, null),
            new TaskEvent.Moved(FIRST, TaskStatus.RUNNING, "a-1", 5, null),
            new TaskEvent.AttemptFailed(1, FIRST, "a-1", TaskStatus.FAILED, why, null),
            new TaskEvent.Failed(why),
            new TaskEvent.Retrying("again"),
            new TaskEvent.AttemptStarted(2, SECOND, "again", null),
            new TaskEvent.Progressed(new TaskProgress("half", 50)),
            new TaskEvent.DependencyUpdated(
                EdgeKind.BLOCKED_BY, "t-2", TaskEdge.Status.ACTIVE, "why")));
  }

  private static TaskState.Existing after(
      TaskState from, TaskKey task, Instant at, List<TaskEvent> events) {
    TaskState state = from;
    for (TaskEvent event : events) {
      state =
          TaskFold.evolve(
              state,
              new StoredTaskEvent(
                  task, "s1", state.sequence() + 1, at, event, Requester.of("key:k1")));
    }
    return (TaskState.Existing) state;
  }
}
