package dev.runyard.bench.sweep;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.projection.ReadModels;
import dev.runyard.core.projection.RunFilter;
import dev.runyard.core.projection.RunPage;
import dev.runyard.core.run.RunState;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Read models whose index of due runs is made beforehand and names each run once, as its search
/// through all rows in memory is not what is measured.
final class OnceDue implements ReadModels {
  private final ReadModels models;
  private final List<ArrayDeque<RunKey>> shards =
      Stream.generate(ArrayDeque<RunKey>::new).limit(DUE_SHARDS).toList();

  OnceDue(ReadModels models) {
    this.models = models;
  }

  void open(RunKey run) {
    shards.get(ReadModels.shardOf(run)).add(run);
  }

  List<RunKey> all() {
    return shards.stream().flatMap(ArrayDeque::stream).toList();
  }

  @Override
  public List<RunKey> due(int shard, Instant now, int limit) {
    List<RunKey> due = new ArrayList<>();
    ArrayDeque<RunKey> left = shards.get(shard);
    while (due.size() < limit && !left.isEmpty()) {
      due.add(left.poll());
    }
    return due;
  }

  @Override
  public Optional<RunState.Existing> snapshot(RunKey run) {
    return models.snapshot(run);
  }

  @Override
  public boolean save(RunState.Existing run) {
    return models.save(run);
  }

  @Override
  public RunPage list(String tenant, RunFilter filter, int limit, Optional<String> after) {
    return models.list(tenant, filter, limit, after);
  }
}
