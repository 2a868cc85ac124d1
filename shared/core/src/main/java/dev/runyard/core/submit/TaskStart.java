package dev.runyard.core.submit;

import dev.runyard.core.event.Requester;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.request.RunRequest;

/// Tells a task that a run of it is about to be written, so that nothing runs of which its task
/// does not know.
@FunctionalInterface
public interface TaskStart {
  /// Where no request is of a task.
  TaskStart NONE = (_, request, _) -> new Answer.Taken(request);

  /// Tells the task, which may be told of the same run again.
  Answer tell(RunKey run, RunRequest request, Requester by);

  /// What the task says.
  sealed interface Answer {
    /// The run may be written.
    ///
    /// @param request with what the task says of its run
    record Taken(RunRequest request) implements Answer {}

    record Refused(Problem problem) implements Answer {}
  }
}
