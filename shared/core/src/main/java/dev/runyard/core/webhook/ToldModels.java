package dev.runyard.core.webhook;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.projection.ReadModels;
import dev.runyard.core.projection.RunFilter;
import dev.runyard.core.projection.RunPage;
import dev.runyard.core.run.RunState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Read models of which each save first tells webhooks. So a run that has ended stays among the
/// open ones, where `sweep` finds it, until its deliveries are kept.
public record ToldModels(ReadModels models, TellWebhooks tell) implements ReadModels {
  @Override
  public Optional<RunState.Existing> snapshot(RunKey run) {
    return models.snapshot(run);
  }

  @Override
  public boolean save(RunState.Existing run) {
    tell.tell(run);
    return models.save(run);
  }

  @Override
  public RunPage list(String tenant, RunFilter filter, int limit, Optional<String> after) {
    return models.list(tenant, filter, limit, after);
  }

  @Override
  public List<RunKey> due(int shard, Instant now, int limit) {
    return models.due(shard, now, limit);
  }
}
