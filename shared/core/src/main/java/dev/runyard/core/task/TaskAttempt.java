package dev.runyard.core.task;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.runyard.core.problem.Failure;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// One run of a task.
///
/// @param number from 1 on
/// @param attemptId the newest attempt of the run; null before its first
/// @param seenAt sequence of the run's newest event that was taken into account
/// @param storedAt sequence of the event that has what the run asks for
/// @param reason why it was retried
/// @param error why it failed
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TaskAttempt(
    int number,
    String runId,
    @Nullable String attemptId,
    long seenAt,
    TaskStatus status,
    long storedAt,
    @Nullable String reason,
    Instant startedAt,
    @Nullable Instant endedAt,
    @Nullable Failure error) {
  public TaskAttempt {
    Objects.requireNonNull(runId);
    Objects.requireNonNull(status);
  }

  /// True while its run has not ended.
  public boolean active() {
    return endedAt == null;
  }

  TaskAttempt now(TaskStatus next, @Nullable String attempt, long seen) {
    return new TaskAttempt(
        number,
        runId,
        attempt == null ? attemptId : attempt,
        seen,
        next,
        storedAt,
        reason,
        startedAt,
        null,
        null);
  }

  TaskAttempt ended(TaskStatus how, @Nullable String attempt, @Nullable Failure why, Instant at) {
    return new TaskAttempt(
        number,
        runId,
        attempt == null ? attemptId : attempt,
        seenAt,
        how,
        storedAt,
        reason,
        startedAt,
        at,
        why);
  }
}
