package dev.runyard.core.fleet;

/// The runners there are, and how to have more. Runners leave by themselves when they are idle.
public interface RunnerFleet {
  /// Runners that run or are starting.
  int active();

  /// Starts `count` runners. The same token starts them once.
  void start(int count, String token);
}
