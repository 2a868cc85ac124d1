package dev.runyard.core.task;

import dev.runyard.core.problem.Failure;
import dev.runyard.core.stream.Chain;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// The facts of a task while an event changes them.
final class TaskDraft {
  private final TaskFacts was;
  private final long sequence;
  private final Instant at;
  private final List<TaskAttempt> attempts;
  private final List<TaskEdge> edges;
  final List<String> jobs;
  TaskTerms terms;
  @Nullable String agent;
  long requestAt;
  boolean draft;
  @Nullable TaskProgress progress;
  long heldAt;
  @Nullable String heldReason;
  @Nullable String paused;
  @Nullable String cancel;
  @Nullable TaskStatus ended;
  @Nullable Instant endedAt;
  @Nullable String summary;
  @Nullable Failure lastError;
  boolean archived;

  TaskDraft(TaskFacts was, long sequence, Instant at) {
    this.was = was;
    this.sequence = sequence;
    this.at = at;
    this.attempts = new ArrayList<>(was.attempts());
    this.edges = new ArrayList<>(was.edges());
    this.jobs = new ArrayList<>(was.jobs());
    this.terms = was.terms();
    this.agent = was.agent();
    this.requestAt = was.requestAt();
    this.draft = was.draft();
    this.progress = was.progress();
    this.heldAt = was.heldAt();
    this.heldReason = was.heldReason();
    this.paused = was.paused();
    this.cancel = was.cancel();
    this.ended = was.ended();
    this.endedAt = was.endedAt();
    this.summary = was.summary();
    this.lastError = was.lastError();
    this.archived = was.archived();
  }

  long sequence() {
    return sequence;
  }

  /// Where the request of a run is.
  long storedAt(String runId) {
    return attempts.stream()
        .filter(one -> one.runId().equals(runId))
        .mapToLong(TaskAttempt::storedAt)
        .findFirst()
        .orElse(0);
  }

  /// It goes on, whatever became of it before.
  void reopen() {
    ended = null;
    endedAt = null;
  }

  void hold(long since, @Nullable String reason) {
    heldAt = since;
    heldReason = reason;
  }

  void end(TaskStatus how, @Nullable Failure why) {
    ended = how;
    endedAt = at;
    paused = null;
    lastError = why == null ? lastError : why;
    hold(0, null);
  }

  void begin(TaskEvent.AttemptStarted started) {
    attempts.add(
        new TaskAttempt(
            started.attempt(),
            started.runId(),
            null,
            0,
            TaskStatus.QUEUED,
            sequence,
            started.reason(),
            at,
            null,
            null));
  }

  /// A run that has not ended is in another state.
  void run(String runId, UnaryOperator<TaskAttempt> change) {
    attempts.replaceAll(one -> one.runId().equals(runId) && one.active() ? change.apply(one) : one);
  }

  void edge(EdgeKind kind, String to, TaskEdge.@Nullable Status status, @Nullable String reason) {
    if (status == null) {
      edges.removeIf(edge -> edge.is(kind, to));
    } else if (edges.stream().anyMatch(edge -> edge.is(kind, to))) {
      edges.replaceAll(edge -> edge.is(kind, to) ? edge.now(status, reason, at) : edge);
    } else {
      edges.add(new TaskEdge(kind, to, status, reason, at, at));
    }
  }

  TaskFacts facts() {
    return facts(null);
  }

  TaskFacts facts(@Nullable Chain chain) {
    return new TaskFacts(
        was.task(),
        was.actor(),
        terms,
        agent,
        requestAt,
        was.createdAt(),
        sequence,
        at,
        draft,
        attempts,
        edges,
        jobs,
        progress,
        heldAt,
        heldReason,
        paused,
        cancel,
        ended,
        endedAt,
        summary,
        lastError,
        archived,
        chain);
  }
}
