package dev.runyard.core.fleet;

/// How many runners there may be.
///
/// @param min runners that stay while there is no work
/// @param max runners at once
/// @param runsPerRunner runs one runner executes in parallel
public record FleetSize(int min, int max, int runsPerRunner) {
  /// Runners that `runs` need.
  int wanted(int runs) {
    return Math.min(max, Math.max(min, Math.ceilDiv(runs, runsPerRunner)));
  }
}
