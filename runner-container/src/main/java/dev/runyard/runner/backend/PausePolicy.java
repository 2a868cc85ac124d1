package dev.runyard.runner.backend;

import dev.runyard.core.attempt.AgentHandle.Pausable;
import dev.runyard.core.problem.Failure;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.function.BooleanSupplier;

/// Whether an agent that waits for a person may be ended, and what is then stored for the attempt
/// that continues.
public sealed interface PausePolicy {
  /// Begins to find out whether the agent may be ended now.
  ///
  /// @param session the session that the agent reported
  Future<Pausable> canPause(Optional<String> session);

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
    public Future<Pausable> canPause(Optional<String> session) {
      return CompletableFuture.completedFuture(Pausable.NO);
    }

    @Override
    public Optional<Failure> keep() {
      return Optional.empty();
    }
  }

  /// The next attempt gets all input again from the log.
  record Replayed() implements PausePolicy {
    @Override
    public Future<Pausable> canPause(Optional<String> session) {
      return CompletableFuture.completedFuture(Pausable.YES);
    }

    @Override
    public Optional<Failure> keep() {
      return Optional.empty();
    }
  }

  /// The next attempt resumes the agent's session with the files it worked on.
  record Resumed(BooleanSupplier resumable, FileKeeping files) implements PausePolicy {
    @Override
    public Future<Pausable> canPause(Optional<String> session) {
      if (session.isEmpty()) {
        return CompletableFuture.completedFuture(Pausable.NOT_YET);
      }
      if (!resumable.getAsBoolean()) {
        return CompletableFuture.completedFuture(Pausable.NO);
      }
      FutureTask<Pausable> check = new FutureTask<>(files::canKeep);
      Thread.ofPlatform().daemon().name("pause-check").start(check);
      return check;
    }

    @Override
    public Optional<Failure> keep() {
      return files.keep();
    }
  }
}
