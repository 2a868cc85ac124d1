package dev.runyard.core.fleet;

/// How many runners there may be.
///
/// @param min stay while there is no work
/// @param max work at once
/// @param runsPerRunner runs one of them executes side by side
public record FleetSize(int min, int max, int runsPerRunner) {
  /// Runners that `runs` need.
  int wanted(int runs) {
    return Math.min(max, Math.max(min, Math.ceilDiv(runs, runsPerRunner)));
  }
}
