package dev.runyard.runner.backend;

import dev.runyard.core.problem.Failure;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/// Whether an agent that waits for a person may be ended, and what is then stored for the attempt
/// that continues.
public sealed interface PausePolicy {
  /// True when the agent may be ended now.
  ///
  /// @param session the session that the agent reported
  boolean canPause(Optional<String> session);

  /// Stores what the next attempt needs, once the agent has ended; returns the failure, if any.
  Optional<Failure> keep();

  /// The policy of an agent with sessions: it is resumed if its files can be stored too.
  ///
  /// @param resumable whether the agent can resume it; some say so only when they run
  static PausePolicy resumed(Optional<FileKeeping> files, BooleanSupplier resumable) {
    return files
        .<PausePolicy>map(keeping -> new Resumed(resumable, keeping))
        .orElseGet(HoldsPlace::new);
  }

  /// No attempt could continue: the agent keeps its place at the runner.
  record HoldsPlace() implements PausePolicy {
    @Override
    public boolean canPause(Optional<String> session) {
      return false;
    }

    @Override
    public Optional<Failure> keep() {
      return Optional.empty();
    }
  }

  /// The next attempt gets all input again from the log.
  record Replayed() implements PausePolicy {
    @Override
    public boolean canPause(Optional<String> session) {
      return true;
    }

    @Override
    public Optional<Failure> keep() {
      return Optional.empty();
    }
  }

  /// The next attempt resumes the agent's session with the files it worked on.
  record Resumed(BooleanSupplier resumable, FileKeeping files) implements PausePolicy {
    @Override
    public boolean canPause(Optional<String> session) {
      return session.isPresent() && resumable.getAsBoolean() && files.canKeep();
    }

    @Override
    public Optional<Failure> keep() {
      return files.keep();
    }
  }
}
