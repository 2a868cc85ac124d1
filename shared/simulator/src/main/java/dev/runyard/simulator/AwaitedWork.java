package dev.runyard.simulator;

import dev.runyard.core.artifact.AwaitedStore;
import dev.runyard.core.problem.PortUnavailable;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Supplier;

/// Work beside an attempt that waits for the bucket. A simulated thread cannot stand still in a
/// call, so what got no answer begins again after the pause; a real one repeats only the call.
final class AwaitedWork<T> implements AwaitedStore.Patience {
  private final Machine machine;
  private final Supplier<T> work;
  private final CompletableFuture<T> done = new CompletableFuture<>();
  private boolean waiting;
  private boolean over;

  /// @param work asks a store that has this patience
  AwaitedWork(Machine machine, Supplier<T> work) {
    this.machine = machine;
    this.work = work;
  }

  /// A call is not answered, and is repeated later.
  static final class Later extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Duration pause;

    private Later(Duration pause) {
      this.pause = pause;
    }
  }

  Future<T> done() {
    return done;
  }

  /// Begins, or begins again.
  boolean run() {
    waiting = false;
    if (!done.isDone()) {
      try {
        done.complete(work.get());
      } catch (Later later) {
        waiting = true;
        var _ = machine.beside(later.pause, this::run);
      }
    }
    return true;
  }

  /// Nothing is waited for any more.
  void end() {
    over = true;
    if (waiting) {
      var _ = machine.beside(Duration.ZERO, this::run);
    }
  }

  @Override
  public boolean lasts(Duration pause, PortUnavailable why) {
    if (over || machine.system().has(Defect.BUCKET_NOT_WAITED_FOR)) {
      return false;
    }
    throw new Later(pause);
  }
}
