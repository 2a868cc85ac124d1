package dev.runyard.core.projection;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.log.Snapshots;
import dev.runyard.core.run.RunState;
import java.util.Optional;

/// The read models as the place where a fold starts. A load that folds far saves its state, so that
/// a lagging projection does not cost the same work twice.
public record ModelSnapshots(ReadModels models) implements Snapshots<RunState> {
  @Override
  public Optional<RunState> latest(StreamKey key) {
    return models.snapshot(RunKey.of(key)).map(there -> there);
  }

  @Override
  public boolean keep(RunState run) {
    return switch (run) {
      case RunState.Absent _ -> false;
      case RunState.Existing there -> {
        models.save(there);
        yield true;
      }
    };
  }
}
