package dev.runyard.core.projection;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.run.RunState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Snapshots of runs: each is the fold of a run's log up to its sequence. They serve lists, save
/// reads, and tell `sweep` which runs to look at. They may lag behind the log; nothing is decided
/// from them alone.
public interface ReadModels {
  /// Shards of the index of open runs; one run is always in the same shard.
  int DUE_SHARDS = 16;

  /// Parts a tenant's list is kept in, so that its writes share no partition; one run is always in
  /// the same part.
  int LIST_SHARDS = 4;

  int LIST_MAX = 100;

  /// Bytes a list shows of an agent's words; the run itself shows them all.
  int LIST_TEXT_BYTES_MAX = 1024;

  Optional<RunState.Existing> snapshot(RunKey run);

  /// Keeps the snapshot unless a newer one is there. False when it was not newer.
  boolean save(RunState.Existing run);

  /// Runs of a tenant as lists show them, newest first, at most `limit`, beginning after the run
  /// `after`: with no more of the agent's words than [#LIST_TEXT_BYTES_MAX], and of what people are
  /// asked only the first.
  RunPage list(String tenant, RunFilter filter, int limit, Optional<String> after);

  /// Open runs of a shard whose next own move is due, earliest first, at most `limit`.
  List<RunKey> due(int shard, Instant now, int limit);

  /// The part of its tenant's list a run is in.
  static int listShardOf(RunKey run) {
    return Math.floorMod(run.runId().hashCode(), LIST_SHARDS);
  }

  static int shardOf(RunKey run) {
    return Math.floorMod(run.partition().hashCode(), DUE_SHARDS);
  }
}
