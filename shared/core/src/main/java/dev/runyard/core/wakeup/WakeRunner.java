package dev.runyard.core.wakeup;

import dev.runyard.core.ids.Ids;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.run.RunState;

/// Wakes the runner that works on a run.
public final class WakeRunner {
  private final Wakeups wakeups;
  private final Ids ids;

  public WakeRunner(Wakeups wakeups, Ids ids) {
    this.wakeups = wakeups;
    this.ids = ids;
  }

  /// Wakes the runner of the run's open attempt, if it has one. Without an answer the runner is not
  /// woken, and learns from the log when it next writes, a heartbeat later at the latest.
  public void wake(RunState state) {
    if (state instanceof RunState.Claimed run && run.attempt().stage().open()) {
      try {
        wakeups.send(run.attempt().runner(), ids.token());
      } catch (PortUnavailable _) {
        return;
      }
    }
  }
}
