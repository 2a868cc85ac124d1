package dev.runyard.core.projection;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.run.RunState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Snapshots of runs: each is the fold of a run's log up to its sequence. They serve lists, save
/// reads, and tell `sweep` which runs are due. They may lag behind the log; nothing is decided from
/// them alone.
public interface ReadModels {
  /// Shards of the index of open runs; one run is always in the same shard.
  int DUE_SHARDS = 16;

  /// Shards of a tenant's list, so that its writes are spread over partitions; one run is always in
  /// the same shard.
  int LIST_SHARDS = 4;

  int LIST_MAX = 100;

  /// Most bytes of an agent's text that a list shows; the run itself shows all of it.
  int LIST_TEXT_BYTES_MAX = 1024;

  Optional<RunState.Existing> snapshot(RunKey run);

  /// Saves the snapshot unless the stored one is as new. False when it was not saved.
  boolean save(RunState.Existing run);

  /// Runs of a tenant as lists show them, newest first, at most `limit`, beginning after the run
  /// `after`: with at most [#LIST_TEXT_BYTES_MAX] bytes of the agent's text, and only the first
  /// pending action.
  RunPage list(String tenant, RunFilter filter, int limit, Optional<String> after);

  /// Open runs of a shard that are due, earliest first, at most `limit`.
  List<RunKey> due(int shard, Instant now, int limit);

  /// The shard of its tenant's list that contains the run.
  static int listShardOf(RunKey run) {
    return Math.floorMod(run.runId().hashCode(), LIST_SHARDS);
  }

  static int shardOf(RunKey run) {
    return Math.floorMod(run.partition().hashCode(), DUE_SHARDS);
  }
}
