package dev.runyard.core.attempt;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.interaction.AgentInput;
import dev.runyard.core.interaction.Question;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.Attempt;
import java.util.Optional;

/// What a started agent reports to its attempt, in order. The end comes once and last: after the
/// process has exited and all of its output has been handed over.
public sealed interface AgentSignal {
  record Output(RunEvent event) implements AgentSignal {}

  /// The agent cannot continue without a person's decision, which it gets through
  /// [AgentHandle#deliver].
  record Asked(Question question) implements AgentSignal {}

  /// The agent took an input, or refused it, with the reason for people.
  record Took(AgentInput input, Optional<String> refused) implements AgentSignal {}

  /// The agent's process tree is gone.
  ///
  /// @param exit how the process ended; empty when it never started
  /// @param failure why the agent did not do what was asked; empty for success
  /// @param processesLeft processes of the tree that could not be ended
  record Ended(
      Optional<Attempt.Exit> exit,
      long durationMillis,
      Optional<Failure> failure,
      int processesLeft)
      implements AgentSignal {
    /// The same end for that reason.
    Ended because(Optional<Failure> why) {
      return new Ended(exit, durationMillis, why, processesLeft);
    }
  }
}
