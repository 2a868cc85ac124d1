package dev.runyard.core.fleet;

/// How many runners there may be.
///
/// @param min runners that stay while there is no work
/// @param max runners at once
/// @param runsPerRunner runs one runner executes in parallel
public record FleetSize(int min, int max, int runsPerRunner) {
  /// Runners that `runs` need, whether there may be so many or not.
  int needed(int runs) {
    return Math.ceilDiv(runs, runsPerRunner);
  }

  /// Runners there should be for `runs`.
  int wanted(int runs) {
    return Math.min(max, Math.max(min, needed(runs)));
  }
}
