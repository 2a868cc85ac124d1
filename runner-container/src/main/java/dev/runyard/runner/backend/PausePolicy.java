package dev.runyard.runner.backend;

import dev.runyard.core.problem.Failure;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/// Whether an agent that waits for a person may be ended meanwhile, and what is kept then for the
/// attempt that goes on.
public sealed interface PausePolicy {
  /// True when the agent may be ended now.
  ///
  /// @param session the session the agent told of
  boolean canPause(Optional<String> session);

  /// Keeps what the next attempt needs once the agent has ended; says where that failed.
  Optional<Failure> keep();

  /// The policy of an agent that keeps its session: it is resumed where its files can be kept too.
  ///
  /// @param resumable whether the agent can resume it; some tell only when they run
  static PausePolicy resumed(Optional<FileKeeping> files, BooleanSupplier resumable) {
    return files
        .<PausePolicy>map(keeping -> new Resumed(resumable, keeping))
        .orElseGet(HoldsPlace::new);
  }

  /// Nobody could go on: the agent holds its place at the runner.
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

  /// The next attempt is given all again from the log.
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
