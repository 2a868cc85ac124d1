package dev.runyard.core.request;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.runyard.core.ids.TaskIds;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The task that a run is of.
///
/// @param number which of the task's runs it has to be, from 1 on; null for one that may run beside
///   others
/// @param reason why the task is tried again; null for a first run
/// @param rootTaskId the task above all that are above it; null until the task is told of the run
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TaskRun(
    String taskId, @Nullable Integer number, @Nullable String reason, @Nullable String rootTaskId) {
  public TaskRun(String taskId, @Nullable Integer number, @Nullable String reason) {
    this(taskId, number, reason, null);
  }

  /// The same below that task.
  public TaskRun below(String root) {
    return new TaskRun(taskId, number, reason, root);
  }

  /// The tasks above its run, once that is known.
  @Nullable TaskIds above() {
    return rootTaskId == null ? null : new TaskIds(taskId, rootTaskId);
  }

  public TaskRun {
    Objects.requireNonNull(taskId);
  }
}
