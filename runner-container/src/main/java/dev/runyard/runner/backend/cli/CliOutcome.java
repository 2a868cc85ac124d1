package dev.runyard.runner.backend.cli;

import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.Attempt;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Finds out how a CLI's process ended from what it printed; the exit code counts last, because
/// some exit with 0 after an error or after a signal. Not thread-safe.
public final class CliOutcome {
  private final String agent;
  private final String flags;
  private boolean understood;
  private boolean finished;
  private @Nullable CliTrouble trouble;

  /// @param agent the CLI's name for people
  /// @param flags the arguments that make it print this format
  public CliOutcome(String agent, String flags) {
    this.agent = agent;
    this.flags = flags;
  }

  /// A line was a known event.
  public void understood() {
    understood = true;
  }

  /// The turn continues, or began again: an earlier failure no longer counts.
  public void working() {
    understood = true;
    finished = false;
    trouble = null;
  }

  /// The turn succeeded.
  public void finished() {
    understood = true;
    finished = true;
    trouble = null;
  }

  /// The turn failed, for the reason in a text, which is not stored, or else for one known before.
  public void failed(String text) {
    understood = true;
    finished = false;
    trouble = CliTrouble.find(text).orElse(trouble == null ? CliTrouble.OTHER : trouble);
  }

  public void failed(CliTrouble why) {
    understood = true;
    finished = false;
    trouble = why;
  }

  /// True once a line was a known event.
  public boolean anyUnderstood() {
    return understood;
  }

  /// True if the last news is that the turn succeeded.
  public boolean isFinished() {
    return finished;
  }

  /// Why the turn failed, as far as known.
  public Optional<CliTrouble> trouble() {
    return Optional.ofNullable(trouble);
  }

  /// Why the run failed; empty if its turn succeeded.
  ///
  /// @param stderr the end of standard error, which is not stored
  public Optional<Failure> failure(Attempt.Exit exit, String stderr) {
    Integer signal = exit.signal();
    if (finished && signal == null) {
      return Optional.empty();
    }
    if (trouble != null && trouble != CliTrouble.OTHER) {
      return Optional.of(trouble.failure(agent));
    }
    if (signal != null) {
      return Optional.of(killed(signal));
    }
    Optional<CliTrouble> said = CliTrouble.find(stderr).or(() -> Optional.ofNullable(trouble));
    return Optional.of(
        said.map(why -> why.failure(agent))
            .orElseGet(() -> understood ? CliTrouble.OTHER.failure(agent) : noOutput()));
  }

  private Failure killed(int signal) {
    return new Failure(
        "agent_killed",
        Category.INTERNAL,
        "Signal %d ended %s. If nobody sent it, give the runner more memory."
            .formatted(signal, agent));
  }

  private Failure noOutput() {
    return Failure.backend(
        "no_output",
        "%s ended without a result. Check that the program is %s and takes `%s`."
            .formatted(agent, agent, flags));
  }
}
