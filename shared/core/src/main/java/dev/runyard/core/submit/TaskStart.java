package dev.runyard.core.submit;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.request.RunRequest;
import java.util.Optional;

/// Tells a task that a run of it is about to be written, so that nothing runs of which its task
/// does not know.
@FunctionalInterface
public interface TaskStart {
  /// Where no request is of a task.
  TaskStart NONE = (_, _, _) -> Optional.empty();

  /// Why the task takes no such run; it may be told of one again.
  Optional<Problem> refusal(RunKey run, RunRequest request, String actor);
}
