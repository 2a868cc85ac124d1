package dev.runyard.core.task;

import dev.runyard.core.limits.Bounds;
import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.Attempt;
import dev.runyard.core.run.RunState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What a task makes of how its runs are doing.
final class TaskRuns {
  private TaskRuns() {}

  /// How a run is doing, in the words of a task.
  static TaskCommand.Seen seen(RunState.Existing run) {
    String attempt =
        switch (run) {
          case RunState.Created _, RunState.CancellingIdle _ -> null;
          case RunState.Claimed claimed -> claimed.attempt().id();
          case RunState.Paused paused -> paused.last().id();
          case RunState.Retrying retrying -> retrying.last().id();
          case RunState.Completed ended -> ended.attempt().id();
          case RunState.Failed ended -> ended.attempt().map(Attempt::id).orElse(null);
          case RunState.Cancelled ended -> ended.attempt().map(Attempt::id).orElse(null);
        };
    Failure error =
        switch (run) {
          case RunState.Failed failed -> cut(failed.error());
          case RunState.Cancelled cancelled ->
              cut(new Failure(Failure.CANCELLED, Category.CALLER, cancelled.reason()));
          case RunState.Open _, RunState.Completed _ -> null;
        };
    return new TaskCommand.Seen(
        run.facts().run().runId(),
        run.sequence(),
        status(run),
        attempt,
        error,
        AsideRuns.tookBack(run));
  }

  /// The status of a task whose only run this is.
  static TaskStatus status(RunState.Existing run) {
    return run.blocked().isPresent()
        ? TaskStatus.WAITING_RESOURCE
        : TaskStatus.of(run.phase()).orElse(TaskStatus.RUNNING);
  }

  private static Failure cut(Failure error) {
    return new Failure(
        error.code(),
        error.category(),
        Bounds.truncate(error.message(), TaskLimits.ERROR_BYTES_MAX));
  }

  static TaskDecision saw(TaskFacts task, TaskCommand.Saw saw) {
    List<TaskEvent> events = new ArrayList<>();
    for (String id : saw.completed()) {
      if (task.blockers().contains(id)) {
        events.add(
            new TaskEvent.DependencyUpdated(
                EdgeKind.BLOCKED_BY, id, TaskEdge.Status.SATISFIED, null));
      }
    }
    boolean ended = false;
    for (TaskCommand.Seen seen : saw.runs()) {
      Optional<TaskAttempt> attempt = task.attempt(seen.runId()).filter(TaskAttempt::active);
      if (attempt.isPresent()) {
        Optional<TaskEvent> event = event(task, attempt.get(), seen);
        event.ifPresent(events::add);
        ended |= event.filter(TaskEvent.AttemptEnded.class::isInstance).isPresent();
      }
    }
    if (ended) {
      outcome(after(task, events)).ifPresent(events::add);
      return new TaskDecision.Append(events);
    }
    return events.isEmpty() ? new TaskDecision.Stay() : appended(task, events);
  }

  /// Appends these, and that the task has ended if nothing but these held that back.
  static TaskDecision appended(TaskFacts task, List<TaskEvent> events) {
    List<TaskEvent> all = new ArrayList<>(events);
    outcome(after(task, events)).filter(TaskEvent.Ended.class::isInstance).ifPresent(all::add);
    return new TaskDecision.Append(all);
  }

  private static Optional<TaskEvent> event(
      TaskFacts task, TaskAttempt attempt, TaskCommand.Seen seen) {
    Failure error = seen.error();
    if (seen.status() == TaskStatus.COMPLETED) {
      return Optional.of(
          new TaskEvent.AttemptCompleted(attempt.number(), seen.runId(), seen.attemptId()));
    }
    if (error != null) {
      return Optional.of(
          new TaskEvent.AttemptFailed(
              attempt.number(),
              seen.runId(),
              seen.attemptId(),
              seen.status(),
              error,
              again(task, seen)));
    }
    boolean news =
        seen.sequence() > attempt.seenAt()
            && seen.status() != attempt.status()
            && seen.status() != TaskStatus.PREPARING
            && seen.status() != TaskStatus.CANCELLING;
    return news
        ? Optional.of(
            new TaskEvent.Moved(
                seen.runId(), seen.status(), seen.attemptId(), seen.sequence(), null))
        : Optional.empty();
  }

  /// Whether the run starts again once a pause is over; null where the task is not paused.
  private static @Nullable Boolean again(TaskFacts task, TaskCommand.Seen seen) {
    boolean ofPause = task.paused() != null && seen.status() == TaskStatus.CANCELLED;
    return ofPause ? Boolean.valueOf(seen.takenBack()) : null;
  }

  /// The task once these have happened, whenever that is.
  private static TaskFacts after(TaskFacts task, List<TaskEvent> events) {
    TaskState state = TaskState.of(task);
    for (TaskEvent event : events) {
      state =
          TaskFold.evolve(
              state,
              new StoredTaskEvent(
                  task.task(), "", state.sequence() + 1, Instant.EPOCH, event, null));
    }
    return ((TaskState.Existing) state).facts();
  }

  /// What becomes of a task of which a run has ended: nothing while others have not or one is held,
  /// or while it is paused or cancelled; else the newest run decides.
  private static Optional<TaskEvent> outcome(TaskFacts task) {
    if (task.active().findAny().isPresent()
        || task.cancel() != null
        || task.paused() != null
        || task.heldAt() > 0
        || task.status().ended()) {
      return Optional.empty();
    }
    return task.current()
        .map(
            last ->
                switch (last.status()) {
                  case COMPLETED ->
                      task.terms().acceptance() == Acceptance.RUN && task.blockers().isEmpty()
                          ? new TaskEvent.Completed(null)
                          : new TaskEvent.Moved(
                              last.runId(),
                              TaskStatus.WAITING_INPUT,
                              last.attemptId(),
                              0,
                              TaskEvent.Moved.ACCEPTANCE);
                  case TaskStatus how -> TaskRules.ended(how, Objects.requireNonNull(last.error()));
                });
  }
}
