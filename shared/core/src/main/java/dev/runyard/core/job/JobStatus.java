package dev.runyard.core.job;

import java.util.Locale;

/// How a job is doing, which says nothing of single items.
public enum JobStatus {
  /// It takes items and was not started.
  CREATED,
  RUNNING,
  /// All items were run; failed ones must be retried or reported.
  BLOCKED,
  /// Nothing starts any more, and what runs is being ended.
  CANCELLING,
  COMPLETED,
  FAILED,
  CANCELLED;

  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }
}
