package dev.runyard.core.memory;

import dev.runyard.core.task.TaskKey;
import dev.runyard.core.task.TaskModels;
import dev.runyard.core.task.TaskSnapshotCodec;
import dev.runyard.core.task.TaskState;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Snapshots of tasks, in memory and in their stored form.
public final class MemoryTaskModels implements TaskModels {
  private final Map<TaskKey, byte[]> kept = new HashMap<>();

  @Override
  public synchronized Optional<TaskState.Existing> snapshot(TaskKey task) {
    return Optional.ofNullable(kept.get(task)).map(TaskSnapshotCodec::unpack);
  }

  @Override
  public synchronized boolean save(TaskState.Existing task) {
    TaskKey key = task.facts().task();
    boolean newer = snapshot(key).filter(there -> there.sequence() >= task.sequence()).isEmpty();
    if (newer) {
      kept.put(key, TaskSnapshotCodec.pack(task));
    }
    return newer;
  }

  @Override
  public synchronized TaskPage list(String tenant, int limit, Optional<String> after) {
    List<TaskState.Existing> found =
        kept.values().stream()
            .map(TaskSnapshotCodec::unpack)
            .filter(task -> task.facts().task().tenant().equals(tenant))
            .filter(task -> after.isEmpty() || TaskModels.placeOf(task).compareTo(after.get()) < 0)
            .sorted(Comparator.comparing(TaskModels::placeOf).reversed())
            .limit(limit + 1L)
            .toList();
    return TaskPage.of(found, limit);
  }

  @Override
  public synchronized List<TaskKey> due(int shard, Instant now, int limit) {
    return kept.values().stream()
        .map(TaskSnapshotCodec::unpack)
        .filter(task -> TaskModels.shardOf(task.facts().task()) == shard)
        .filter(task -> task.dueAt().filter(at -> !at.isAfter(now)).isPresent())
        .sorted(Comparator.comparing(task -> task.dueAt().orElseThrow()))
        .limit(limit)
        .map(task -> task.facts().task())
        .toList();
  }
}
