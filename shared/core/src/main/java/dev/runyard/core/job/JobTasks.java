package dev.runyard.core.job;

import dev.runyard.core.event.Requester;
import dev.runyard.core.problem.Problem;
import java.util.Optional;

/// The tasks that jobs are parts of. Such a task is told of a job before it is written, so that no
/// job goes on of which a cancelled task does not know.
public interface JobTasks {
  /// Why the task takes no such job; it may be told of one again.
  Optional<Problem> refusal(JobKey job, String taskId, Requester by);

  /// The task above all that are above this one.
  String root(JobKey job, String taskId);

  /// Why the task was cancelled, if it was.
  Optional<String> cancelled(JobKey job, String taskId);

  /// True while the task is paused: then no item starts.
  boolean paused(JobKey job, String taskId);
}
