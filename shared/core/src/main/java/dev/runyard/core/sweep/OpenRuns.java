package dev.runyard.core.sweep;

import dev.runyard.core.advance.AdvanceRun;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.projection.ReadModels;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// The open runs, and how `sweep` advances one: what `advance` and `project` would have done, with
/// one read of its log.
public final class OpenRuns {
  private final ReadModels models;
  private final AdvanceRun advance;
  private final Predicate<Instant> quotas;
  private final Consumer<RunState> saw;

  /// @param quotas corrects what is counted against them; false when the time was up before
  public OpenRuns(ReadModels models, AdvanceRun advance, Predicate<Instant> quotas) {
    this(models, advance, quotas, _ -> {});
  }

  /// @param saw is told of each run's state
  public OpenRuns(
      ReadModels models, AdvanceRun advance, Predicate<Instant> quotas, Consumer<RunState> saw) {
    this.models = models;
    this.advance = advance;
    this.quotas = quotas;
    this.saw = saw;
  }

  /// Corrects what is counted against quotas, and sends runs for which there is a place.
  ///
  /// @return false when the time was up before all of it was done
  boolean repairQuotas(Instant until) {
    return quotas.test(until);
  }

  /// Runs of a shard that are due, earliest first.
  List<RunKey> due(int shard, Instant now, int limit) {
    return models.due(shard, now, limit);
  }

  /// Returns for how many seconds the run has waited for a runner; 0 if it does not wait for one.
  long moveOn(RunKey run, Instant now) {
    return saved(advance.advance(run), now);
  }

  /// The same of a run whose message became a dead letter.
  long undelivered(RunKey run, Instant now) {
    return saved(advance.undelivered(run), now);
  }

  private long saved(RunState state, Instant now) {
    save(state);
    return waited(state, now);
  }

  private static long waited(RunState state, Instant now) {
    Instant since =
        switch (state) {
          case RunState.Created run -> run.waiting().behind() == null ? run.waiting().since() : now;
          // A pause that its retry policy asks for is no waiting.
          case RunState.Retrying run ->
              run.waiting()
                  .since()
                  .plusSeconds(run.facts().request().retry().delaySeconds(run.facts().tries()));
          case RunState.Absent _,
              RunState.InProgress _,
              RunState.Paused _,
              RunState.CancellingIdle _,
              RunState.Cancelling _,
              RunState.Closed _ ->
              now;
        };
    return Math.max(0, Duration.between(since, now).toSeconds());
  }

  /// Takes one read if the run's snapshot shows that there is nothing to do: most are at work, or
  /// know. What the snapshot does not show yet is for the next sweep.
  void block(RunKey run, RunCommand.Block block) {
    if (models.snapshot(run).filter(seen -> advance.leaves(seen, block)).isEmpty()) {
      save(advance.block(run, block));
    }
  }

  private void save(RunState state) {
    if (state instanceof RunState.Existing run) {
      models.save(run);
    }
    saw.accept(state);
  }
}
