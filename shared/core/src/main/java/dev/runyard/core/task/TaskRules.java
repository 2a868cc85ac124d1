package dev.runyard.core.task;

import dev.runyard.core.problem.Failure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What commands do to a task. Pure; a test that plants a defect passes others to [TaskStream].
public final class TaskRules {
  private static final TaskDecision STAY = new TaskDecision.Stay();

  private TaskRules() {}

  public static TaskDecision decide(TaskState state, TaskCommand command) {
    return switch (state) {
      case TaskState.Absent _ ->
          command instanceof TaskCommand.Create create
              ? create(create)
              : refuse(TaskDecision.Reason.NO_TASK);
      case TaskState.Open(TaskFacts task) -> existing(task, command);
      case TaskState.Ended(TaskFacts task) -> existing(task, command);
      case TaskState.Archived(TaskFacts task) -> archived(task, command);
    };
  }

  private static TaskDecision create(TaskCommand.Create create) {
    List<TaskEvent> events = new ArrayList<>();
    events.add(new TaskEvent.Created(create.terms(), create.request()));
    create
        .parent()
        .ifPresent(
            parent ->
                events.add(
                    new TaskEvent.DependencyUpdated(
                        EdgeKind.PARENT, parent, TaskEdge.Status.ACTIVE, null)));
    if (!create.draft()) {
      events.add(new TaskEvent.Accepted());
    }
    return new TaskDecision.Append(events);
  }

  private static TaskDecision again(TaskFacts task, TaskCommand.Create create) {
    return task.terms().fingerprint().equals(create.terms().fingerprint())
        ? STAY
        : refuse(TaskDecision.Reason.MISMATCH);
  }

  private static TaskDecision archived(TaskFacts task, TaskCommand command) {
    return switch (command) {
      case TaskCommand.Create create -> again(task, create);
      case TaskCommand.Archive _, TaskCommand.Saw _, TaskCommand.Reached _ -> STAY;
      case TaskCommand.Start start when task.attempt(start.runId()).isPresent() -> STAY;
      case TaskCommand.AddJob add when task.jobs().contains(add.jobId()) -> STAY;
      case TaskCommand.Cancel _ when task.ended() == TaskStatus.CANCELLED -> STAY;
      case TaskCommand.Complete _ when task.ended() == TaskStatus.COMPLETED -> STAY;
      case TaskCommand.Unlink unlink when task.edge(unlink.kind(), unlink.to()).isEmpty() -> STAY;
      case TaskCommand.Link link when task.edge(link.kind(), link.to()).isPresent() -> STAY;
      case TaskCommand _ -> refuse(TaskDecision.Reason.CLOSED);
    };
  }

  private static TaskDecision existing(TaskFacts task, TaskCommand command) {
    return switch (command) {
      case TaskCommand.Create create -> again(task, create);
      case TaskCommand.Update update -> update(task, update);
      case TaskCommand.Progress progress ->
          task.stopping()
              ? refuse(TaskDecision.Reason.CLOSED)
              : append(new TaskEvent.Progressed(progress.progress()));
      case TaskCommand.Start start -> start(task, start);
      case TaskCommand.Hold hold -> hold(task, hold);
      case TaskCommand.Saw saw -> TaskRuns.saw(task, saw);
      case TaskCommand.Cancel cancel -> cancel(task, cancel);
      case TaskCommand.Reached _ ->
          task.status() == TaskStatus.CANCELLING && task.active().findAny().isEmpty()
              ? append(new TaskEvent.Cancelled(String.valueOf(task.cancel())))
              : STAY;
      case TaskCommand.Complete complete -> complete(task, complete);
      case TaskCommand.Fail fail -> fail(task, fail);
      case TaskCommand.Pause pause -> pause(task, pause);
      case TaskCommand.Resume resume -> resume(task, resume);
      case TaskCommand.Link link -> link(task, link);
      case TaskCommand.Unlink unlink ->
          task.edge(unlink.kind(), unlink.to())
                  .filter(edge -> !unlink.pending() || edge.status() == TaskEdge.Status.PENDING)
                  .isEmpty()
              ? STAY
              : TaskRuns.appended(
                  task,
                  List.of(
                      new TaskEvent.DependencyUpdated(
                          unlink.kind(), unlink.to(), null, unlink.reason())));
      case TaskCommand.AddJob add -> add(task, add);
      case TaskCommand.Archive _ ->
          task.status().ended() || neverBegan(task)
              ? append(new TaskEvent.Archived())
              : refuse(TaskDecision.Reason.NOT_ENDED);
    };
  }

  /// A pause of a task holds back the items of its jobs, which none could end any more.
  private static boolean neverBegan(TaskFacts task) {
    boolean holdsJobs = task.paused() != null && !task.jobs().isEmpty();
    return task.cancel() == null && task.attempts().isEmpty() && !holdsJobs;
  }

  private static TaskDecision update(TaskFacts task, TaskCommand.Update update) {
    if (task.stopping() && !task.status().retryable()) {
      return refuse(TaskDecision.Reason.CLOSED);
    }
    if (!update.was().equals(task.terms())) {
      return refuse(TaskDecision.Reason.CHANGED);
    }
    List<TaskEvent> events = new ArrayList<>();
    if (update.request() != null || !update.terms().equals(task.terms())) {
      events.add(new TaskEvent.Updated(update.terms(), update.request()));
    }
    if (update.terms().remote() != null && !update.terms().remote().equals(task.terms().remote())) {
      events.add(new TaskEvent.Delegated(update.terms().remote()));
    }
    if (update.accepted() && task.draft()) {
      events.add(new TaskEvent.Accepted());
    }
    return events.isEmpty() ? STAY : new TaskDecision.Append(events);
  }

  /// Why no run may start, if none may.
  private static Optional<TaskDecision.Reason> closed(TaskFacts task, boolean again) {
    if (task.draft()) {
      return Optional.of(TaskDecision.Reason.DRAFT);
    }
    if (task.stopping() && !(again && task.status().retryable())) {
      return Optional.of(TaskDecision.Reason.CLOSED);
    }
    return task.attempts().size() >= TaskLimits.RUNS_MAX
        ? Optional.of(TaskDecision.Reason.RUN_OUT)
        : Optional.empty();
  }

  private static TaskDecision start(TaskFacts task, TaskCommand.Start start) {
    if (task.attempt(start.runId()).isPresent()) {
      return STAY;
    }
    boolean again = start.reason() != null;
    boolean another = start.number() != null && start.number() != task.attempts().size() + 1;
    boolean beside = start.number() != null && task.active().findAny().isPresent();
    if (another || beside) {
      return refuse(TaskDecision.Reason.STARTED);
    }
    Optional<TaskDecision.Reason> why = closed(task, again);
    if (why.isPresent()) {
      return refuse(why.get());
    }
    if (task.paused() != null) {
      return refuse(TaskDecision.Reason.PAUSED);
    }
    boolean passing = start.number() == null && task.heldAt() > 0;
    if (passing || !task.blockers().isEmpty()) {
      return refuse(TaskDecision.Reason.BLOCKED);
    }
    List<TaskEvent> events = new ArrayList<>();
    if (start.reason() != null && task.heldAt() == 0) {
      events.add(new TaskEvent.Retrying(start.reason()));
    }
    events.add(
        new TaskEvent.AttemptStarted(
            task.attempts().size() + 1, start.runId(), start.reason(), start.request()));
    events.add(new TaskEvent.Moved(start.runId(), TaskStatus.QUEUED, null, 0, null));
    return new TaskDecision.Append(events);
  }

  /// A job is taken where a run beside others would be.
  private static TaskDecision add(TaskFacts task, TaskCommand.AddJob add) {
    if (task.jobs().contains(add.jobId())) {
      return STAY;
    }
    if (task.draft()) {
      return refuse(TaskDecision.Reason.DRAFT);
    }
    if (task.stopping()) {
      return refuse(TaskDecision.Reason.CLOSED);
    }
    if (task.paused() != null) {
      return refuse(TaskDecision.Reason.PAUSED);
    }
    if (!task.blockers().isEmpty()) {
      return refuse(TaskDecision.Reason.BLOCKED);
    }
    return task.jobs().size() >= TaskLimits.JOBS_MAX
        ? refuse(TaskDecision.Reason.JOBS_FULL)
        : append(new TaskEvent.JobAdded(add.jobId()));
  }

  private static TaskDecision hold(TaskFacts task, TaskCommand.Hold hold) {
    if (task.heldAt() > 0) {
      return STAY;
    }
    if (task.active().findAny().isPresent()) {
      return refuse(TaskDecision.Reason.STARTED);
    }
    Optional<TaskDecision.Reason> why = closed(task, hold.reason() != null);
    if (why.isPresent()) {
      return refuse(why.get());
    }
    List<TaskEvent> events = new ArrayList<>();
    if (hold.reason() != null) {
      events.add(new TaskEvent.Retrying(hold.reason()));
    }
    events.add(new TaskEvent.Blocked(task.blockers(), hold.request(), hold.reason()));
    return new TaskDecision.Append(events);
  }

  /// What has nothing below it and no run is cancelled at once.
  private static TaskDecision cancel(TaskFacts task, TaskCommand.Cancel cancel) {
    if (task.cancel() != null || task.status() == TaskStatus.CANCELLED) {
      return STAY;
    }
    if (task.status().ended() && !task.status().retryable()) {
      return refuse(TaskDecision.Reason.CLOSED);
    }
    List<TaskEvent> events = new ArrayList<>();
    events.add(new TaskEvent.CancelRequested(cancel.reason()));
    if (task.active().findAny().isEmpty()
        && task.to(EdgeKind.CHILD).isEmpty()
        && task.jobs().isEmpty()) {
      events.add(new TaskEvent.Cancelled(cancel.reason()));
    }
    return new TaskDecision.Append(events);
  }

  private static TaskDecision complete(TaskFacts task, TaskCommand.Complete complete) {
    if (task.status() == TaskStatus.COMPLETED) {
      return STAY;
    }
    return toEnd(task)
        .map(TaskRules::refuse)
        .orElseGet(() -> append(new TaskEvent.Completed(complete.summary())));
  }

  private static TaskDecision fail(TaskFacts task, TaskCommand.Fail fail) {
    if (task.status().retryable()) {
      return STAY;
    }
    boolean waits = !task.stopping() && !task.draft() && task.active().findAny().isEmpty();
    Optional<TaskDecision.Reason> why = waits ? Optional.empty() : toEnd(task);
    return why.map(TaskRules::refuse).orElseGet(() -> append(new TaskEvent.Failed(fail.error())));
  }

  private static Optional<TaskDecision.Reason> toEnd(TaskFacts task) {
    if (task.stopping()) {
      return Optional.of(TaskDecision.Reason.CLOSED);
    }
    if (task.draft()) {
      return Optional.of(TaskDecision.Reason.DRAFT);
    }
    if (task.active().findAny().isPresent()) {
      return Optional.of(TaskDecision.Reason.RUNNING);
    }
    return task.blockers().isEmpty() ? Optional.empty() : Optional.of(TaskDecision.Reason.BLOCKED);
  }

  private static TaskDecision pause(TaskFacts task, TaskCommand.Pause pause) {
    if (task.stopping()) {
      return refuse(TaskDecision.Reason.CLOSED);
    }
    if (task.draft()) {
      return refuse(TaskDecision.Reason.DRAFT);
    }
    return task.paused() != null ? STAY : append(new TaskEvent.Paused(pause.reason()));
  }

  /// A run that was taken back for the pause has to end first: only then it can start again.
  private static TaskDecision resume(TaskFacts task, TaskCommand.Resume resume) {
    if (task.stopping()) {
      return refuse(TaskDecision.Reason.CLOSED);
    }
    if (task.paused() == null) {
      return STAY;
    }
    return !resume.undone() && !resume.goesOn() && task.active().findAny().isPresent()
        ? refuse(TaskDecision.Reason.RUNNING)
        : TaskRuns.appended(task, List.of(new TaskEvent.Resumed(resume.undone() ? true : null)));
  }

  private static TaskDecision link(TaskFacts task, TaskCommand.Link link) {
    Optional<TaskEdge> there = task.edge(link.kind(), link.to());
    boolean further = there.filter(edge -> edge.status().compareTo(link.status()) < 0).isPresent();
    boolean unseen = link.kind().decides() && link.status() != TaskEdge.Status.PENDING;
    if (there.isPresent() || unseen) {
      return further ? append(edge(link)) : STAY;
    }
    if (task.edges().size() >= TaskLimits.EDGES_MAX) {
      return refuse(TaskDecision.Reason.FULL);
    }
    if (link.kind() == EdgeKind.PARENT && task.parent().isPresent()) {
      return refuse(TaskDecision.Reason.HAS_PARENT);
    }
    boolean structural = link.kind() == EdgeKind.CHILD || link.kind().decides();
    return structural && task.stopping() && !task.status().retryable()
        ? refuse(TaskDecision.Reason.CLOSED)
        : append(edge(link));
  }

  private static TaskEvent edge(TaskCommand.Link link) {
    return new TaskEvent.DependencyUpdated(link.kind(), link.to(), link.status(), link.reason());
  }

  private static TaskDecision append(TaskEvent event) {
    return new TaskDecision.Append(List.of(event));
  }

  private static TaskDecision refuse(TaskDecision.Reason reason) {
    return new TaskDecision.Refuse(reason);
  }

  /// A failure in the words of a task.
  static TaskEvent ended(TaskStatus how, Failure why) {
    return switch (how) {
      case TIMED_OUT -> new TaskEvent.TimedOut(why);
      case LOST -> new TaskEvent.Lost(why);
      case DRAFT,
          ACCEPTED,
          QUEUED,
          PREPARING,
          RUNNING,
          WAITING_INPUT,
          WAITING_PERMISSION,
          WAITING_RESOURCE,
          BLOCKED,
          PAUSED,
          RETRYING,
          CANCELLING,
          CANCELLED,
          FAILED,
          COMPLETED,
          ARCHIVED,
          STALE,
          UNKNOWN ->
          new TaskEvent.Failed(why);
    };
  }
}
