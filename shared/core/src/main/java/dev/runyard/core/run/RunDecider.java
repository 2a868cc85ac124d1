package dev.runyard.core.run;

import dev.runyard.core.limits.Limits;
import java.time.Duration;

/// The rules of a run: from a state and a command to events. Pure, and injected where events are
/// appended, so that a simulation can plant defective rules and prove that they are noticed.
@FunctionalInterface
public interface RunDecider {
  Decision decide(RunState state, RunCommand command);

  /// Runyard's own rules, where the log keeps what it has.
  static RunDecider rules() {
    return RunRules::decide;
  }

  /// The same where the log keeps a chunk for so long: a run ends while it is whole.
  static RunDecider rules(Duration kept) {
    int life = Math.toIntExact(kept.toSeconds() - Limits.LIFE_SPARE_SECONDS);
    return (state, command) -> RunRules.decide(state, command, life);
  }
}
