package dev.runyard.core.advance;

import dev.runyard.core.fleet.ScaleRunners;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.run.RunState;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;

/// Advances all runs of a batch, and starts runners when a run waits for one. If none starts, the
/// reason is recorded in the waiting runs.
public final class AdvanceRuns {
  private final AdvanceRun advance;
  private final ScaleRunners scale;
  private final InstantSource clock;
  private final Consumer<RuntimeException> failures;

  /// @param failures gets the exception if starting runners fails
  public AdvanceRuns(
      AdvanceRun advance,
      ScaleRunners scale,
      InstantSource clock,
      Consumer<RuntimeException> failures) {
    this.advance = advance;
    this.scale = scale;
    this.clock = clock;
    this.failures = failures;
  }

  /// Calls `batch` with the action for each of its runs, and returns its result.
  public <T> T handle(Function<Consumer<RunKey>, T> batch) {
    return handle(batch, _ -> {});
  }

  /// The same.
  ///
  /// @param saw is told of each run's state
  public <T> T handle(Function<Consumer<RunKey>, T> batch, Consumer<RunState> saw) {
    List<RunKey> waiting = new CopyOnWriteArrayList<>();
    AtomicInteger accepted = new AtomicInteger();
    T handled =
        batch.apply(
            run -> {
              RunState state = advance.advance(run);
              saw.accept(state);
              if (advance.wantsRunner(state)) {
                waiting.add(run);
                if (state instanceof RunState.Created) {
                  accepted.incrementAndGet();
                }
              }
            });
    if (!waiting.isEmpty()) {
      scale(waiting, accepted.get());
    }
    return handled;
  }

  /// If starting runners fails, that is no reason to process the records again: `sweep` starts
  /// runners within a minute.
  private void scale(List<RunKey> waiting, int accepted) {
    try {
      scale
          .startMissing(clock, accepted)
          .ifPresent(block -> waiting.forEach(run -> advance.block(run, block)));
    } catch (RuntimeException e) {
      failures.accept(e);
    }
  }
}
