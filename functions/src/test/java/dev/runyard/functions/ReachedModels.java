package dev.runyard.functions;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.projection.ReadModels;
import dev.runyard.core.projection.RunFilter;
import dev.runyard.core.projection.RunPage;
import dev.runyard.core.run.RunState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The read models of the twins, which fail while the log does.
public record ReachedModels(Twins twins) implements ReadModels {
  @Override
  public Optional<RunState.Existing> snapshot(RunKey run) {
    return twins.reached(twins.models).snapshot(run);
  }

  @Override
  public boolean save(RunState.Existing run) {
    return twins.reached(twins.models).save(run);
  }

  @Override
  public RunPage list(String tenant, RunFilter filter, int limit, Optional<String> after) {
    return twins.reached(twins.models).list(tenant, filter, limit, after);
  }

  @Override
  public List<RunKey> due(int shard, Instant now, int limit) {
    return twins.reached(twins.models).due(shard, now, limit);
  }
}
