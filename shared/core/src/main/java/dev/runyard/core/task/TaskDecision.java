package dev.runyard.core.task;

import java.util.List;

/// The answer of [TaskRules] to a command.
public sealed interface TaskDecision {
  record Append(List<TaskEvent> events) implements TaskDecision {
    public Append {
      events = List.copyOf(events);
    }
  }

  /// Nothing to do: the task is already what the command wants.
  record Stay() implements TaskDecision {}

  record Refuse(Reason reason) implements TaskDecision {}

  /// Why a command is refused.
  enum Reason {
    NO_TASK,
    /// The task was created with another content.
    MISMATCH,
    /// The task is not what the command changes.
    CHANGED,
    /// The task is over, or is being cancelled.
    CLOSED,
    /// Tasks that it waits for are not completed.
    BLOCKED,
    PAUSED,
    DRAFT,
    /// It has runs that have not ended.
    RUNNING,
    /// It was started already.
    STARTED,
    /// It is not over.
    NOT_ENDED,
    /// It has as many edges as one may.
    FULL,
    /// It has as many jobs as one may.
    JOBS_FULL,
    /// It was run as often as one may be.
    RUN_OUT,
    /// It is a part of another task.
    HAS_PARENT
  }
}
