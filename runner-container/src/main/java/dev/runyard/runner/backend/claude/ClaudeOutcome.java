package dev.runyard.runner.backend.claude;

import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.Attempt;
import dev.runyard.runner.backend.AgentTrouble;
import java.util.Optional;

/// How a Claude Code process ended, by meaning: the result of its last turn counts, and the exit
/// status only if there is none.
final class ClaudeOutcome {
  static final Failure NO_RESULT =
      Failure.backend(
          "no_output",
          "Claude Code ended without a result. Check that the program is Claude Code and takes"
              + " `--output-format stream-json`.");

  private ClaudeOutcome() {}

  /// @param stderr the end of its standard error, which is not stored
  static Optional<Failure> of(ClaudeFacts facts, Attempt.Exit exit, String stderr) {
    if (facts.finished()) {
      return facts
          .trouble()
          .map(trouble -> trouble == ClaudeTrouble.OTHER ? better(stderr) : trouble)
          .map(ClaudeTrouble::failure);
    }
    Integer signal = exit.signal();
    if (signal != null) {
      return Optional.of(AgentTrouble.killed(ClaudeTrouble.AGENT, signal));
    }
    return Optional.of(
        Integer.valueOf(0).equals(exit.code()) ? NO_RESULT : better(stderr).failure());
  }

  private static ClaudeTrouble better(String stderr) {
    return ClaudeTrouble.find(stderr).orElse(ClaudeTrouble.OTHER);
  }
}
