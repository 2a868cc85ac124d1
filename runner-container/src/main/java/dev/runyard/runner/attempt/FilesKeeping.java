package dev.runyard.runner.attempt;

import dev.runyard.core.attempt.Keeping;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.runner.left.LeftFiles;
import dev.runyard.runner.log.RunnerLog;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// Stores the files of an ended agent for later runs, next to what it changed, whether it
/// succeeded, failed or was stopped. If that fails, the run says so and ends as it would have.
final class FilesKeeping implements Keeping {
  static final String NOT_KEPT = "files_not_kept";

  private final Optional<Keeping> beside;
  private final LeftFiles files;
  private final RunnerLog log;
  private final Future<Optional<LeftFiles.Draft>> drafting;
  private final Future<?> stored;
  private volatile List<RunEvent> facts = List.of();

  /// Begins at once.
  ///
  /// @param beside what else is stored
  /// @param draft stores the files
  FilesKeeping(
      Optional<Keeping> beside, LeftFiles files, Supplier<LeftFiles.Draft> draft, RunnerLog log) {
    this.beside = beside;
    this.files = files;
    this.log = log;
    this.drafting = background(() -> drafted(draft));
    this.stored =
        background(
            () -> {
              if (beside.isPresent()) {
                beside.get().stored().get();
              }
              return drafting.get();
            });
  }

  @Override
  public Future<?> stored() {
    return stored;
  }

  @Override
  public Future<Settled> settle(boolean ours) {
    Future<Settled> others =
        beside
            .map(own -> own.settle(ours))
            .orElseGet(() -> CompletableFuture.completedFuture(Settled.SILENTLY));
    return background(
        () -> {
          Optional<RunEvent> told = settled(ours);
          Settled settled = others.get();
          facts =
              Stream.concat(beside.stream().flatMap(own -> own.facts().stream()), told.stream())
                  .toList();
          return settled;
        });
  }

  @Override
  public List<RunEvent> facts() {
    return facts;
  }

  private Optional<LeftFiles.Draft> drafted(Supplier<LeftFiles.Draft> draft) {
    try {
      return Optional.of(draft.get());
    } catch (RuntimeException e) {
      log.failed("files_not_kept", e);
      return Optional.empty();
    }
  }

  /// Whatever happens, the attempt ends.
  private Optional<RunEvent> settled(boolean ours) throws InterruptedException {
    try {
      Optional<LeftFiles.Draft> draft = drafting.get();
      if (!ours) {
        draft.ifPresent(files::forget);
        return Optional.empty();
      }
      if (draft.isEmpty() || !files.settle(draft.get())) {
        return Optional.of(
            notKept(
                "could not be stored. A later run of the session begins with the files as they were"
                    + " before this run."));
      }
      return draft.get().left().kept()
          ? Optional.empty()
          : Optional.of(
              notKept(
                  "are too large, cannot be read, have too long a path, or are more than the tenant"
                      + " may store. A later run of the session needs another workspace."));
    } catch (ExecutionException | PortUnavailable e) {
      log.failed("files_not_kept", e);
      return ours
          ? Optional.of(
              notKept(
                  "could not be stored. A later run of the session may begin with the files as they"
                      + " were before this run."))
          : Optional.empty();
    }
  }

  private static RunEvent notKept(String why) {
    return new RunEvent.RuntimeWarning(NOT_KEPT, "The files that the agent left " + why);
  }

  private static <T> Future<T> background(Callable<T> work) {
    FutureTask<T> task = new FutureTask<>(work);
    Thread.ofPlatform().daemon().name("files").start(task);
    return task;
  }
}
