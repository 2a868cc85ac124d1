package dev.runyard.core.task;

import dev.runyard.core.log.Recent;
import dev.runyard.core.log.Rotation;
import dev.runyard.core.projection.Models;
import java.time.Instant;
import java.util.List;

/// What `sweep` does about tasks: it looks at each that is due, and brings its snapshot up to its
/// log.
public final class SweepTasks {
  /// Most due tasks of one shard that one sweep chooses from.
  public static final int DUE_MAX = 20_000;

  private final Recent<TaskKey, Looked> looked = new Recent<>(Models.DUE_SHARDS * DUE_MAX);
  private final TaskModels models;
  private final AdvanceTask advance;
  private final ProjectTask project;

  public SweepTasks(TaskModels models, AdvanceTask advance, ProjectTask project) {
    this.models = models;
    this.advance = advance;
    this.project = project;
  }

  /// Tasks of the shard that are due. One that waits stays due, and a sweep may end before it has
  /// looked at all; so every minute another one comes first.
  public List<TaskKey> due(int shard, Instant now) {
    return Rotation.of(models.due(shard, now, DUE_MAX), now);
  }

  /// Does what was missed, and no more often than the task is to be looked at, as far as this
  /// process knows: one that waits stays due, and a look costs ten times what it costs to see that
  /// it is not yet its turn. A look that fails, or that a sweep has no time for, comes with the
  /// next.
  public void sweep(TaskKey task, Instant now) {
    long kept = models.snapshot(task).map(TaskState::sequence).orElse(0L);
    if (looked.get(task).filter(last -> last.serves(kept, now)).isPresent()) {
      return;
    }
    advance.check(task);
    TaskState after = project.after(task, kept);
    after
        .pace()
        .map(pace -> now.plus(pace).minusSeconds(TaskState.STEP_SECONDS))
        .ifPresent(until -> looked.put(task, new Looked(after.sequence(), until)));
  }

  /// A look at a task as it was at that sequence.
  private record Looked(long sequence, Instant until) {
    boolean serves(long now, Instant at) {
      return now == sequence && at.isBefore(until);
    }
  }
}
