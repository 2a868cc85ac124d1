package dev.runyard.core.task;

import dev.runyard.core.log.Rotation;
import java.time.Instant;
import java.util.List;

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

  /// Does what was missed. A task that nothing happens to is looked at in each sweep.
  public void sweep(TaskKey task) {
    advance.check(task);
    var _ = project.project(task);
  }
}
