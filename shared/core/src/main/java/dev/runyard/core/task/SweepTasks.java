package dev.runyard.core.task;

import dev.runyard.core.log.Rotation;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// What `sweep` does about tasks: it looks at each that is due, and brings its snapshot up to its
/// log.
public final class SweepTasks {
  /// Most due tasks of one shard that one sweep chooses from.
  public static final int DUE_MAX = 20_000;

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

  /// Does what was missed, and no more often than the task is to be looked at: one that waits stays
  /// due, and a look costs ten times what it costs to see that it is not yet its turn.
  public void sweep(TaskKey task, Instant now) {
    Optional<TaskState.Existing> kept = models.snapshot(task);
    if (kept.filter(before -> !before.looksAt(now)).isPresent()) {
      return;
    }
    advance.check(task);
    project.after(task, kept.map(TaskState::sequence).orElse(0L));
  }
}
