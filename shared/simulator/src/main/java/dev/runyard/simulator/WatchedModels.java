package dev.runyard.simulator;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.projection.ReadModels;
import dev.runyard.core.projection.RunFilter;
import dev.runyard.core.projection.RunPage;
import dev.runyard.core.run.RunState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The read models, with a look at each save: the model of a run never goes back to an earlier
/// state, not even for a moment that nothing else would notice.
final class WatchedModels implements ReadModels {
  private final ReadModels kept;
  private final List<Violation> violations = new ArrayList<>();

  WatchedModels(ReadModels kept) {
    this.kept = kept;
  }

  List<Violation> violations() {
    return List.copyOf(violations);
  }

  @Override
  public Optional<RunState.Existing> snapshot(RunKey run) {
    return kept.snapshot(run);
  }

  @Override
  public boolean save(RunState.Existing run) {
    RunKey key = run.facts().run();
    long before = sequence(key);
    boolean saved = kept.save(run);
    long after = sequence(key);
    if (after < before) {
      violations.add(
          new Violation("I5", "the model of %s went from %d to %d".formatted(key, before, after)));
    }
    return saved;
  }

  private long sequence(RunKey run) {
    return kept.snapshot(run).map(RunState.Existing::sequence).orElse(0L);
  }

  @Override
  public RunPage list(String tenant, RunFilter filter, int limit, Optional<String> after) {
    return kept.list(tenant, filter, limit, after);
  }

  @Override
  public List<RunKey> due(int shard, Instant now, int limit) {
    return kept.due(shard, now, limit);
  }
}
