package dev.runyard.core.task;

import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.request.SampleRequests;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/// Tasks folded from the events that a test names, without a log. Each event is a second after the
/// one before it.
final class FoldedTask {
  static final Instant AT = Instant.parse("2026-03-01T12:00:00Z");
  static final TaskKey TASK = new TaskKey("acme", "t1");
  static final Failure WHY = new Failure("agent_failed", Category.BACKEND, "It failed.");
  static final RunRequest REQUEST = SampleRequests.echo("s-1");
  static final TaskTerms TERMS = terms("write it", "sent");

  private FoldedTask() {}

  static TaskTerms terms(String title, String fingerprint) {
    return new TaskTerms(
        title,
        null,
        null,
        null,
        Visibility.FOREGROUND,
        0,
        null,
        null,
        null,
        List.of(),
        Acceptance.MANUAL,
        "t1",
        null,
        null,
        false,
        fingerprint);
  }

  /// The draft that these events make.
  static TaskState.Existing draft(TaskEvent... events) {
    TaskState state = next(TaskState.absent(), new TaskEvent.Created(TERMS, null));
    for (TaskEvent event : events) {
      state = next(state, event);
    }
    return (TaskState.Existing) state;
  }

  /// The task that was accepted, and that these events make.
  static TaskState.Existing accepted(TaskEvent... events) {
    return draft(
        Stream.concat(Stream.of(new TaskEvent.Accepted()), Stream.of(events))
            .toArray(TaskEvent[]::new));
  }

  private static TaskState next(TaskState state, TaskEvent event) {
    Instant at = AT.plusSeconds(state.sequence());
    return TaskFold.evolve(
        state, new StoredTaskEvent(TASK, "t1", state.sequence() + 1, at, event, null));
  }

  static TaskEvent began(int attempt, String run) {
    return new TaskEvent.AttemptStarted(attempt, run, null, null);
  }

  static TaskEvent moved(String run, TaskStatus status) {
    return new TaskEvent.Moved(run, status, "a-" + run, 5, null);
  }

  static TaskEvent completed(int attempt, String run) {
    return new TaskEvent.AttemptCompleted(attempt, run, "a-" + run);
  }

  static TaskEvent edge(EdgeKind kind, String to, TaskEdge.Status status) {
    return new TaskEvent.DependencyUpdated(kind, to, status, null);
  }

  static TaskEvent blockedBy(String to) {
    return edge(EdgeKind.BLOCKED_BY, to, TaskEdge.Status.ACTIVE);
  }

  static TaskEvent held() {
    return new TaskEvent.Blocked(List.of(), REQUEST, null);
  }
}
