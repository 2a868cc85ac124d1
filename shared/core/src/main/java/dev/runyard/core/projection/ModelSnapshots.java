package dev.runyard.core.projection;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.Snapshots;
import dev.runyard.core.run.RunState;

/// The read models as the place a fold starts at. Whoever folds far keeps what came of it, so that
/// a projection that lags costs nobody the same work twice.
public record ModelSnapshots(ReadModels models) implements Snapshots {
  @Override
  public RunState latest(RunKey run) {
    return models.snapshot(run).<RunState>map(there -> there).orElseGet(RunState::absent);
  }

  @Override
  public boolean keep(RunState.Existing run) {
    models.save(run);
    return true;
  }
}
