package dev.runyard.core.run;

/// The rules of a run: from a state and a command to events. Pure, and injected where events are
/// appended, so that a simulation can plant defective rules and prove that they are noticed.
@FunctionalInterface
public interface RunDecider {
  Decision decide(RunState state, RunCommand command);

  /// Runyard's own rules.
  static RunDecider rules() {
    return RunRules::decide;
  }
}
