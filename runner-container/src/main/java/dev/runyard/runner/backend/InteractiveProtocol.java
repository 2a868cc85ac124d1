package dev.runyard.runner.backend;

import dev.runyard.core.interaction.AgentInput;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.Attempt;
import java.util.List;
import java.util.Optional;

/// How a CLI is talked to over its standard input and output. It serves one process, is used by one
/// thread at a time, and never throws for what a line or an input says.
public interface InteractiveProtocol {
  /// Comes first. What it tells is told before anything the process prints.
  List<Effect> open();

  /// A line of standard output. It is never passed on as it is (DR-0005).
  List<Effect> line(String line);

  /// A message for the agent, or a decision on what it asked. What the dialect keeps for later it
  /// has to say [Effect.Took] or [Effect.Refuse] of when the time comes.
  List<Effect.Prompt> input(AgentInput input);

  /// The agent is to end. What is said to it here gives it [CliRun#POLITE_MILLIS] to end by itself;
  /// where nothing is said its processes are ended at once.
  List<Effect.Prompt> stop();

  /// True while the agent must not see its end coming, because it would write into its conversation
  /// what nobody said. Its processes are killed then. Asked after [#stop].
  default boolean unawares() {
    return false;
  }

  /// Why the process is to be ended although it goes on; empty as long as it is not.
  default Optional<Failure> giveUp() {
    return Optional.empty();
  }

  /// How it ended, by meaning. Inputs that were kept and never handed over stay with the run.
  ///
  /// @param stderr the end of standard error, of which nothing may be stored
  OutputParser.Ending end(Attempt.Exit exit, String stderr);
}
