package dev.runyard.core.sweep;

import dev.runyard.core.advance.AdvanceRun;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.projection.ReadModels;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunState;
import java.time.Instant;
import java.util.List;

/// The open runs, and how `sweep` advances one: what `advance` and `project` would have done, with
/// one read of its log.
public final class OpenRuns {
  private final ReadModels models;
  private final AdvanceRun advance;
  private final Runnable quotas;

  /// @param quotas corrects what is counted against them
  public OpenRuns(ReadModels models, AdvanceRun advance, Runnable quotas) {
    this.models = models;
    this.advance = advance;
    this.quotas = quotas;
  }

  /// Corrects what is counted against quotas, and sends runs for which there is a place.
  void repairQuotas() {
    quotas.run();
  }

  /// Runs of a shard that are due, earliest first.
  List<RunKey> due(int shard, Instant now, int limit) {
    return models.due(shard, now, limit);
  }

  void moveOn(RunKey run) {
    save(advance.advance(run));
  }

  void undelivered(RunKey run) {
    save(advance.undelivered(run));
  }

  void block(RunKey run, RunCommand.Block block) {
    save(advance.block(run, block));
  }

  private void save(RunState state) {
    if (state instanceof RunState.Existing run) {
      models.save(run);
    }
  }
}
