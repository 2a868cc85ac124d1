package dev.runyard.core.run;

/// The rules of a run: from a state and a command to events. Pure, and given to whoever appends, so
/// that a simulation can put a broken set of rules in its place and prove that it is noticed.
@FunctionalInterface
public interface RunDecider {
  Decision decide(RunState state, RunCommand command);

  /// The rules Runyard runs by.
  static RunDecider rules() {
    return RunRules::decide;
  }
}
