package dev.runyard.runner.backend;

import dev.runyard.core.event.RunEvent;

/// Leaves out what a replayed agent repeats: its first outputs, which are already in the log. Not
/// thread-safe.
public final class ReplayFilter {
  private long left;

  /// @param outputs events of output that are in the log
  public ReplayFilter(long outputs) {
    this.left = outputs;
  }

  /// False for an output that is already in the log.
  boolean admits(RunEvent event) {
    if (left == 0 || !(event instanceof RunEvent.Output)) {
      return true;
    }
    left--;
    return false;
  }
}
