package dev.runyard.core.task;

import dev.runyard.core.cancel.CancelRun;
import dev.runyard.core.ids.RunKey;

/// Takes back runs of a task that no runner has had.
public final class WithdrawRuns {
  private final CancelRun cancel;

  public WithdrawRuns(CancelRun cancel) {
    this.cancel = cancel;
  }

  /// False if one of them is at work.
  boolean all(TaskFacts task, String reason, String actor) {
    boolean all = true;
    for (TaskAttempt attempt : task.active().toList()) {
      RunKey run = new RunKey(task.task().tenant(), attempt.runId());
      all = all && cancel.withdraw(run, reason, actor);
    }
    return all;
  }
}
