package dev.runyard.runner.attempt;

import dev.runyard.core.attempt.Keeping;
import dev.runyard.core.change.KeptChange;
import dev.runyard.core.change.KeptChanges;
import dev.runyard.core.change.KeptObject;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.SnapshotUpdated;
import dev.runyard.core.ids.Digest;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.runner.change.TakingFailed;
import dev.runyard.runner.change.WorkspaceKeeping;
import dev.runyard.runner.checkout.Origin;
import dev.runyard.runner.log.RunnerLog;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/// Stores what an ended agent changed, next to its session files, whether it succeeded, failed or
/// was stopped. If that fails, the run says so and ends as it would have.
final class ChangeKeeping implements Keeping {
  static final String NOT_KEPT = "changes_not_kept";

  private final Optional<Keeping> memory;
  private final WorkspaceKeeping keeping;
  private final Then then;
  private final RunnerLog log;
  private final Future<Taken> taking;
  private final Future<?> stored;
  private volatile List<RunEvent> facts = List.of();

  /// Begins at once.
  ///
  /// @param memory what stores the session files
  /// @param then done with a change that is the run's
  ChangeKeeping(
      Optional<Keeping> memory, WorkspaceKeeping keeping, Origin base, Then then, RunnerLog log) {
    this.memory = memory;
    this.keeping = keeping;
    this.then = then;
    this.log = log;
    this.taking = background(() -> taken(base));
    this.stored =
        background(
            () -> {
              if (memory.isPresent()) {
                await(memory.get().stored());
              }
              return await(taking);
            });
  }

  /// What is done with a change, and what the log is told of that.
  @FunctionalInterface
  interface Then {
    List<RunEvent> told(Optional<KeptChange> change) throws InterruptedException;
  }

  /// @param change null if there is none
  private record Taken(@Nullable KeptChange change, String failed) {}

  @Override
  public Future<?> stored() {
    return stored;
  }

  @Override
  public Future<Settled> settle(boolean ours) {
    Future<Settled> remembered =
        memory
            .map(own -> own.settle(ours))
            .orElseGet(() -> CompletableFuture.completedFuture(Settled.SILENTLY));
    return background(
        () -> {
          if (ours) {
            facts = told();
          } else {
            forget();
          }
          return remembered.get();
        });
  }

  @Override
  public List<RunEvent> facts() {
    return facts;
  }

  private Taken taken(Origin base) {
    try {
      return new Taken(keeping.keep(base), "");
    } catch (TakingFailed e) {
      log.failed("change_not_taken", e);
      return new Taken(null, e.reason());
    } catch (PortUnavailable e) {
      log.failed("change_not_taken", e);
      return new Taken(null, "the store did not answer");
    } catch (IOException | RuntimeException e) {
      log.failed("change_not_taken", e);
      return new Taken(null, "its folder could not be read");
    }
  }

  /// What an attempt stored that has lost its run; the rest is removed by the store's retention.
  private void forget() throws InterruptedException {
    try {
      KeptChange change = taking.get().change();
      if (change != null) {
        keeping.forget(change);
      }
    } catch (ExecutionException | PortUnavailable e) {
      log.failed("change_not_removed", e);
    }
  }

  /// Whatever happens, the attempt ends.
  private List<RunEvent> told() throws InterruptedException {
    try {
      return told(taking.get());
    } catch (ExecutionException | RuntimeException e) {
      log.failed("change_not_taken", e);
      return List.of(notKept("the runner failed"));
    }
  }

  private List<RunEvent> told(Taken taken) throws InterruptedException {
    KeptChange change = taken.change();
    Optional<String> failed = change == null ? Optional.of(taken.failed()) : named(change);
    List<RunEvent> events = new ArrayList<>();
    events.add(change == null || failed.isPresent() ? notKept(failed.orElse("")) : told(change));
    events.addAll(then.told(Optional.ofNullable(change).filter(_ -> failed.isEmpty())));
    return List.copyOf(events);
  }

  /// Why the change is not the run's, if it is not.
  private Optional<String> named(KeptChange change) {
    try {
      return keeping.store().changes().name(keeping.of().run(), change)
          ? Optional.empty()
          : Optional.of("a later attempt has left its own");
    } catch (PortUnavailable e) {
      log.failed("change_not_named", e);
      return Optional.of("the store did not answer");
    }
  }

  private static SnapshotUpdated told(KeptChange change) {
    byte[] list = KeptChanges.bytes(change);
    return new SnapshotUpdated(
        change.baseCommit(),
        change.filesTotal(),
        change.linesAdded(),
        change.linesRemoved(),
        new SnapshotUpdated.Reference(list.length, HexFormat.of().formatHex(Digest.of(list))),
        reference(change.patch()),
        reference(change.archive()),
        change.artifacts().size(),
        change.artifacts().stream().mapToLong(KeptObject::bytes).sum(),
        change.leftOutTotal());
  }

  private static SnapshotUpdated.@Nullable Reference reference(@Nullable KeptObject object) {
    return object == null ? null : new SnapshotUpdated.Reference(object.bytes(), object.sha256());
  }

  private static RunEvent notKept(String reason) {
    return new RunEvent.RuntimeWarning(
        NOT_KEPT, "What the agent changed in its workspace is not kept: " + reason + ".");
  }

  private static boolean await(Future<?> other) throws InterruptedException {
    try {
      other.get();
      return true;
    } catch (ExecutionException _) {
      return false;
    }
  }

  private static <T> Future<T> background(Callable<T> work) {
    FutureTask<T> task = new FutureTask<>(work);
    Thread.ofPlatform().daemon().name("change").start(task);
    return task;
  }
}
