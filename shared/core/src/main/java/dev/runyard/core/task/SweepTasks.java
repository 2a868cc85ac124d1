package dev.runyard.core.task;

import java.time.Instant;
import java.util.List;

/// What `sweep` does about tasks: it looks at each that is due, and brings its snapshot up to its
/// log.
public final class SweepTasks {
  /// Most due tasks of one shard that one sweep handles.
  static final int DUE_MAX = 500;

  private final TaskModels models;
  private final AdvanceTask advance;
  private final ProjectTask project;

  public SweepTasks(TaskModels models, AdvanceTask advance, ProjectTask project) {
    this.models = models;
    this.advance = advance;
    this.project = project;
  }

  public List<TaskKey> due(int shard, Instant now) {
    return models.due(shard, now, DUE_MAX);
  }

  /// Does what was missed. A task that nothing happens to is looked at in each sweep.
  public void sweep(TaskKey task) {
    advance.check(task);
    var _ = project.project(task);
  }
}
