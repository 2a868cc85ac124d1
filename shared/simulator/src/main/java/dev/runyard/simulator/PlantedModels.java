package dev.runyard.simulator;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.projection.ReadModels;
import dev.runyard.core.projection.RunFilter;
import dev.runyard.core.projection.RunPage;
import dev.runyard.core.projection.SnapshotCodec;
import dev.runyard.core.run.RunState;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The read models with a planted defect.
final class PlantedModels implements ReadModels {
  private final Defect defect;
  private final ReadModels kept;
  private final Map<RunKey, RunState.Existing> overwritten = new HashMap<>();

  PlantedModels(Defect defect, ReadModels kept) {
    this.defect = defect;
    this.kept = kept;
  }

  @Override
  public Optional<RunState.Existing> snapshot(RunKey run) {
    return Optional.ofNullable(overwritten.get(run)).or(() -> kept.snapshot(run));
  }

  @Override
  public boolean save(RunState.Existing run) {
    if (defect == Defect.SNAPSHOT_STORED_AS_TEXT) {
      ItemLimit.check(SnapshotCodec.encode(run).getBytes(StandardCharsets.UTF_8).length);
    } else if (defect == Defect.MODEL_SAVED_WITHOUT_CONDITION) {
      overwritten.put(run.facts().run(), SnapshotCodec.unpack(SnapshotCodec.pack(run)));
    }
    return kept.save(run);
  }

  @Override
  public RunPage list(String tenant, RunFilter filter, int limit, Optional<String> after) {
    return kept.list(tenant, filter, limit, after);
  }

  @Override
  public List<RunKey> due(int shard, Instant now, int limit) {
    boolean early = defect == Defect.SILENCE_TOO_SHORT;
    return kept.due(shard, early ? now.plusSeconds(PlantedRules.TOO_SHORT_SECONDS) : now, limit);
  }
}
