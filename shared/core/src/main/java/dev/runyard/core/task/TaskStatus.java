package dev.runyard.core.task;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// How a task is doing, in the words of the Agent Runtime standard.
public enum TaskStatus {
  /// It is being written down and cannot be started.
  DRAFT,
  ACCEPTED,
  QUEUED,
  PREPARING,
  RUNNING,
  WAITING_INPUT,
  WAITING_PERMISSION,
  WAITING_RESOURCE,
  /// It was started and waits for other tasks.
  BLOCKED,
  PAUSED,
  RETRYING,
  CANCELLING,
  CANCELLED,
  TIMED_OUT,
  FAILED,
  LOST,
  COMPLETED,
  ARCHIVED,
  /// What is known is older than what happened.
  STALE,
  UNKNOWN;

  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<TaskStatus> of(String wire) {
    return Arrays.stream(values()).filter(status -> status.wire().equals(wire)).findFirst();
  }

  /// True when nothing goes on by itself: it is over, or must be retried.
  public boolean ended() {
    return switch (this) {
      case CANCELLED, TIMED_OUT, FAILED, LOST, COMPLETED, ARCHIVED -> true;
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
          STALE,
          UNKNOWN ->
          false;
    };
  }

  /// True when another run may make it good.
  public boolean retryable() {
    return this == FAILED || this == TIMED_OUT || this == LOST;
  }
}
