package dev.runyard.core.task;

import dev.runyard.core.stream.Chain;

/// Brings the snapshot of a task up to its log.
public final class ProjectTask {
  private final TaskLog tasks;
  private final TaskModels models;

  public ProjectTask(TaskLog tasks, TaskModels models) {
    this.tasks = tasks;
    this.models = models;
  }

  /// Reads what is new in the log, and writes the snapshot.
  ///
  /// @return where the chain of the task's chunks is broken, as far as the log was read; 0 if it is
  ///   not
  public long project(TaskKey task) {
    return after(task, 0).chain().map(Chain::brokenAt).orElse(0L);
  }

  /// The same, unless the log has nothing after this sequence: a write that is refused costs what
  /// one that is taken does.
  ///
  /// @return the task as it is now
  TaskState after(TaskKey task, long kept) {
    TaskState state = tasks.load(task);
    if (state instanceof TaskState.Existing existing && existing.sequence() > kept) {
      var _ = models.save(existing);
    }
    return state;
  }
}
