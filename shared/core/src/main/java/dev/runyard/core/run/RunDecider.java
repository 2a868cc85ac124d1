package dev.runyard.core.run;

/// The rules of a run: from a state and a command to events. Pure, and injected where events are
/// appended, so that a simulation can plant defective rules and prove that they are noticed.
@FunctionalInterface
public interface RunDecider {
  Decision decide(RunState state, RunCommand command);

  /// Runyard's own rules, where the log keeps what it has.
  static RunDecider rules() {
    return RunRules::decide;
  }

  /// The same where a run that is submitted waits for things for no longer than so many seconds.
  static RunDecider rules(int lifeSeconds) {
    return (state, command) -> RunRules.decide(state, command, lifeSeconds);
  }
}
