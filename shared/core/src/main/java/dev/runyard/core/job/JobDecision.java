package dev.runyard.core.job;

import java.util.List;

/// The answer of [JobRules] to a command.
public sealed interface JobDecision {
  record Append(List<JobEvent> events) implements JobDecision {
    public Append {
      events = List.copyOf(events);
    }
  }

  /// Nothing to do: the job is already what the command wants.
  record Stay() implements JobDecision {}

  record Refuse(Reason reason) implements JobDecision {}

  /// Why a command is refused.
  enum Reason {
    NO_JOB,
    /// The job was created, or the items were added, with another content.
    MISMATCH,
    /// The job has ended, or is being ended.
    CLOSED,
    NO_ITEM,
    /// The item has not failed.
    NOT_FAILED,
    /// The item was run as often as one may be.
    RUN_OUT,
    /// The job has no items to start.
    EMPTY,
    /// The job has as many items, or as many additions, as one may.
    FULL
  }
}
