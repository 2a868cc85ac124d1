package dev.runyard.core.task;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.event.Requester;
import dev.runyard.core.stream.Chain;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What events make of a task.
public final class TaskFold {
  private TaskFold() {}

  /// The task after the event.
  ///
  /// @throws IllegalStateException when the event is not the next one, or follows the last
  public static TaskState evolve(TaskState state, StoredTaskEvent stored) {
    if (stored.sequence() != state.sequence() + 1) {
      throw new IllegalStateException(
          "event %d of %s follows %d"
              .formatted(stored.sequence(), stored.key().partition(), state.sequence()));
    }
    return switch (state) {
      case TaskState.Absent _ -> begin(stored);
      case TaskState.Open(TaskFacts facts) -> next(facts, stored);
      case TaskState.Ended(TaskFacts facts) -> next(facts, stored);
      case TaskState.Archived _ ->
          throw new IllegalStateException(
              "event %d of %s follows the last"
                  .formatted(stored.sequence(), stored.key().partition()));
    };
  }

  static TaskState chained(TaskState state, Chain chain) {
    return state instanceof TaskState.Existing task
        ? TaskState.of(new TaskDraft(task.facts(), task.sequence(), task.facts().at()).facts(chain))
        : state;
  }

  private static TaskState begin(StoredTaskEvent stored) {
    if (!(stored.event() instanceof TaskEvent.Created created)) {
      throw new IllegalStateException("a task begins with task.created, not " + stored.type());
    }
    Instant now = stored.timestamp();
    return TaskState.of(
        new TaskFacts(
            stored.key(),
            Requester.nameOf(stored.by()),
            created.terms(),
            agent(created.request()),
            created.request() == null ? 0 : stored.sequence(),
            now,
            stored.sequence(),
            now,
            true,
            List.of(),
            List.of(),
            List.of(),
            null,
            0,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            false,
            null));
  }

  private static @Nullable String agent(@Nullable ObjectNode request) {
    return request == null ? null : request.path("agent").textValue();
  }

  private static TaskState next(TaskFacts facts, StoredTaskEvent stored) {
    TaskDraft task = new TaskDraft(facts, stored.sequence(), stored.timestamp());
    change(task, stored);
    return TaskState.of(task.facts());
  }

  private static void change(TaskDraft task, StoredTaskEvent stored) {
    switch (stored.event()) {
      case TaskEvent.Created _ -> throw new IllegalStateException("a task begins once");
      case TaskEvent.Accepted _ -> task.draft = false;
      case TaskEvent.Updated updated -> {
        task.terms = updated.terms();
        if (updated.request() != null) {
          task.requestAt = task.sequence();
          task.agent = agent(updated.request());
        }
      }
      case TaskEvent.Progressed progressed -> task.progress = progressed.progress();
      case TaskEvent.DependencyUpdated edge ->
          task.edge(edge.kind(), edge.to(), edge.status(), edge.reason());
      case TaskEvent.JobAdded(String job) -> task.jobs.add(job);
      case TaskEvent.Blocked blocked -> {
        task.reopen();
        task.hold(task.sequence(), blocked.reason());
      }
      case TaskEvent.AttemptStarted started -> {
        task.reopen();
        task.hold(0, null);
        task.begin(started);
      }
      case TaskEvent.Moved moved ->
          task.run(moved.runId(), run -> run.now(moved.status(), moved.attemptId(), moved.at()));
      case TaskEvent.AttemptCompleted ended ->
          task.run(
              ended.runId(),
              run -> run.ended(TaskStatus.COMPLETED, ended.attemptId(), null, stored.timestamp()));
      case TaskEvent.AttemptFailed ended -> failed(task, ended, stored.timestamp());
      case TaskEvent.Paused paused -> task.paused = paused.reason();
      case TaskEvent.Resumed _ -> task.paused = null;
      case TaskEvent.CancelRequested cancel -> {
        task.reopen();
        task.cancel = cancel.reason();
        task.hold(0, null);
      }
      case TaskEvent.Completed completed -> {
        task.summary = completed.summary();
        task.end(TaskStatus.COMPLETED, null);
      }
      case TaskEvent.Failed failed -> task.end(TaskStatus.FAILED, failed.error());
      case TaskEvent.TimedOut failed -> task.end(TaskStatus.TIMED_OUT, failed.error());
      case TaskEvent.Lost failed -> task.end(TaskStatus.LOST, failed.error());
      case TaskEvent.Cancelled _ -> task.end(TaskStatus.CANCELLED, null);
      case TaskEvent.Archived _ -> task.archived = true;
      case TaskEvent.Delegated _, TaskEvent.Retrying _, TaskEvent.Other _ -> {}
    }
  }

  /// A run that was taken back for a pause is held, and starts again when that is over.
  private static void failed(TaskDraft task, TaskEvent.AttemptFailed ended, Instant at) {
    task.run(ended.runId(), run -> run.ended(ended.status(), ended.attemptId(), ended.error(), at));
    task.lastError = ended.error();
    boolean again = ended.again() == null || ended.again();
    if (again && task.paused != null && ended.status() == TaskStatus.CANCELLED) {
      task.hold(task.storedAt(ended.runId()), task.heldReason);
    }
  }
}
