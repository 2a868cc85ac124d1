package dev.runyard.core.fleet;

import dev.runyard.core.queue.RunQueue;

/// Starts runners for the backlog: as many as the waiting and running runs need, up to a limit.
public final class ScaleRunners {
  /// Most runners one RunTask call starts.
  public static final int START_MAX = 10;

  private final RunQueue queue;
  private final RunnerFleet fleet;
  private final int runnersMax;
  private final int runsPerRunner;

  public ScaleRunners(RunQueue queue, RunnerFleet fleet, int runnersMax, int runsPerRunner) {
    this.queue = queue;
    this.fleet = fleet;
    this.runnersMax = runnersMax;
    this.runsPerRunner = runsPerRunner;
  }

  /// Compares backlog and fleet once. `cause` names what made the backlog grow, so that the same
  /// cause seen twice starts nothing twice.
  ///
  /// @param accepted runs known to wait for their first runner, whose messages the queue may not
  ///   count yet: the message follows the event, and a queue counts late
  public void scale(String cause, int accepted) {
    RunQueue.Depth depth = queue.depth();
    int runs = Math.max(depth.waiting(), accepted) + depth.inFlight();
    if (runs == 0) {
      return;
    }
    int wanted = Math.min(runnersMax, Math.ceilDiv(runs, runsPerRunner));
    int missing = Math.min(START_MAX, wanted - fleet.active());
    if (missing > 0) {
      fleet.start(missing, cause);
    }
  }
}
