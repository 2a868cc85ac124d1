package dev.runyard.core.task;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.stream.Chain;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What every state of a task contains.
///
/// @param actor who created it, and in whose name it goes on
/// @param agent of the request that its runs have in common; null if there is none
/// @param requestAt sequence of the event with that request; 0 if there is none
/// @param sequence of the newest event folded in
/// @param at the time of that event
/// @param jobs that are parts of it
/// @param heldAt sequence of the event with the request of a run that waits to be started; 0 if
///   none does
/// @param paused why nothing starts for now
/// @param cancel why nothing starts any more
/// @param ended how it ended; null while it has not
/// @param chain as [dev.runyard.core.stream.StreamState#chain] has it
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TaskFacts(
    TaskKey task,
    @Nullable String actor,
    TaskTerms terms,
    @Nullable String agent,
    long requestAt,
    Instant createdAt,
    long sequence,
    Instant at,
    boolean draft,
    List<TaskAttempt> attempts,
    List<TaskEdge> edges,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> jobs,
    @Nullable TaskProgress progress,
    long heldAt,
    @Nullable String heldReason,
    @Nullable String paused,
    @Nullable String cancel,
    @Nullable TaskStatus ended,
    @Nullable Instant endedAt,
    @Nullable String summary,
    @Nullable Failure lastError,
    boolean archived,
    @Nullable Chain chain) {
  public TaskFacts {
    Objects.requireNonNull(task);
    Objects.requireNonNull(terms);
    attempts = attempts == null ? List.of() : List.copyOf(attempts);
    edges = edges == null ? List.of() : List.copyOf(edges);
    jobs = jobs == null ? List.of() : List.copyOf(jobs);
  }

  /// How it is doing.
  public TaskStatus status() {
    if (archived) {
      return TaskStatus.ARCHIVED;
    }
    if (ended != null) {
      return ended;
    }
    if (cancel != null) {
      return TaskStatus.CANCELLING;
    }
    if (draft) {
      return TaskStatus.DRAFT;
    }
    if (paused != null) {
      return TaskStatus.PAUSED;
    }
    return ofRuns()
        .orElseGet(
            () ->
                heldAt > 0
                    ? TaskStatus.BLOCKED
                    : attempts.isEmpty() ? TaskStatus.ACCEPTED : TaskStatus.WAITING_INPUT);
  }

  /// What most of its runs' watchers want to know: one that runs before one that waits.
  private Optional<TaskStatus> ofRuns() {
    return active()
        .map(TaskAttempt::status)
        .min((one, other) -> Integer.compare(rank(one), rank(other)));
  }

  private static int rank(TaskStatus status) {
    return switch (status) {
      case RUNNING -> 0;
      case WAITING_PERMISSION -> 1;
      case WAITING_INPUT -> 2;
      case WAITING_RESOURCE -> 3;
      case RETRYING -> 4;
      case PREPARING -> 5;
      case QUEUED -> 6;
      case DRAFT,
          ACCEPTED,
          BLOCKED,
          PAUSED,
          CANCELLING,
          CANCELLED,
          TIMED_OUT,
          FAILED,
          LOST,
          COMPLETED,
          ARCHIVED,
          STALE,
          UNKNOWN ->
          7;
    };
  }

  /// Runs that have not ended.
  public Stream<TaskAttempt> active() {
    return attempts.stream().filter(TaskAttempt::active);
  }

  /// The newest run.
  public Optional<TaskAttempt> current() {
    return attempts.isEmpty() ? Optional.empty() : Optional.of(attempts.getLast());
  }

  public Optional<TaskAttempt> attempt(String runId) {
    return attempts.stream().filter(one -> one.runId().equals(runId)).findFirst();
  }

  public Optional<TaskEdge> edge(EdgeKind kind, String to) {
    return edges.stream().filter(edge -> edge.is(kind, to)).findFirst();
  }

  /// The other ends of its edges of a kind.
  public List<String> to(EdgeKind kind) {
    return edges.stream().filter(edge -> edge.kind() == kind).map(TaskEdge::to).toList();
  }

  /// The task that it is a part of, also while that is looked at.
  public Optional<String> parent() {
    return to(EdgeKind.PARENT).stream().findFirst();
  }

  /// The tasks that it waits for.
  public List<String> blockers() {
    return edges.stream()
        .filter(edge -> edge.kind() == EdgeKind.BLOCKED_BY)
        .filter(edge -> edge.status() == TaskEdge.Status.ACTIVE)
        .map(TaskEdge::to)
        .toList();
  }

  /// Edges of which it is not yet known whether they may be.
  public List<TaskEdge> pending() {
    return edges.stream().filter(edge -> edge.status() == TaskEdge.Status.PENDING).toList();
  }

  /// True while nothing may start, here or below.
  public boolean stopping() {
    return cancel != null || status().ended();
  }

  /// True when a run that was held back may start now.
  public boolean startable() {
    return heldAt > 0 && !stopping() && paused == null && blockers().isEmpty();
  }
}
