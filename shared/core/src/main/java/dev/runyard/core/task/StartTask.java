package dev.runyard.core.task;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.request.TaskRun;
import dev.runyard.core.submit.TaskStart;
import java.util.Optional;

/// Writes into the log of a task which run is about to be written for it. The fact comes first,
/// with what the run asks for: whoever finds that the run is not there writes it.
public final class StartTask implements TaskStart {
  private final TaskLog tasks;
  private final TaskGraph graph;

  public StartTask(TaskLog tasks) {
    this.tasks = tasks;
    this.graph = new TaskGraph(tasks);
  }

  @Override
  public Optional<Problem> refusal(RunKey run, RunRequest request, String actor) {
    TaskRun of = request.task();
    if (of == null) {
      return Optional.empty();
    }
    if (!TaskKey.isTaskId(of.taskId())) {
      return Optional.of(ManageTasks.notFound());
    }
    TaskKey key = new TaskKey(run.tenant(), of.taskId());
    TaskState state = tasks.load(key);
    if (state instanceof TaskState.Existing task && graph.stoppedAbove(task.facts())) {
      return Optional.of(TaskResult.problem(TaskDecision.Reason.CLOSED));
    }
    var result =
        tasks.execute(
            key,
            state,
            new TaskCommand.Start(run.runId(), of.number(), request, of.reason(), actor));
    return result.decision() instanceof TaskDecision.Refuse refuse
        ? Optional.of(TaskResult.problem(refuse.reason()))
        : Optional.empty();
  }
}
