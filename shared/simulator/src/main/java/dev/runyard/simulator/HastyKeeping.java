package dev.runyard.simulator;

import dev.runyard.core.attempt.Keeping;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

/// The defect of [Defect#MEMORY_NOT_WAITED_FOR].
record HastyKeeping(Keeping kept, Machine machine) implements Keeping {
  private static final Duration LATER = Duration.ofSeconds(1);

  @Override
  public Future<?> stored() {
    return CompletableFuture.completedFuture(true);
  }

  @Override
  public Future<Settled> settle(boolean ours) {
    var _ = machine.beside(LATER, () -> settled(ours));
    return CompletableFuture.completedFuture(Settled.SILENTLY);
  }

  private boolean settled(boolean ours) {
    boolean stored = kept.stored().isDone();
    var _ = stored ? kept.settle(ours) : settle(ours);
    return stored;
  }
}
