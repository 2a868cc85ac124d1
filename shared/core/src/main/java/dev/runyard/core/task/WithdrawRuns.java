package dev.runyard.core.task;

import dev.runyard.core.cancel.CancelRun;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.run.RunState;

/// Takes back runs of a task that no runner has had.
public final class WithdrawRuns {
  /// Tells in a run's log why it was ended.
  private static final String PAUSED = "The task was paused: ";

  private final CancelRun cancel;

  public WithdrawRuns(CancelRun cancel) {
    this.cancel = cancel;
  }

  /// True for a run that was taken back, and not ended by somebody who had cancelled it before.
  static boolean tookBack(RunState run) {
    return run instanceof RunState.Cancelled ended
        && ended.reason().startsWith(PAUSED)
        && CancelRun.isWithdrawn(ended);
  }

  /// False if one of them is at work.
  boolean all(TaskFacts task, String reason, String actor) {
    boolean all = true;
    for (TaskAttempt attempt : task.active().toList()) {
      RunKey run = new RunKey(task.task().tenant(), attempt.runId());
      all = all && cancel.withdraw(run, PAUSED + reason, actor);
    }
    return all;
  }
}
