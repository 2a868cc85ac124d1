package dev.runyard.core.task;

import dev.runyard.core.event.Requester;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.job.JobKey;
import dev.runyard.core.job.JobTasks;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.request.TaskRun;
import dev.runyard.core.submit.TaskStart;
import java.util.Optional;

/// Writes into the log of a task which run or job is about to be written for it. The fact comes
/// first, that of a run with what it asks for: whoever finds that the run is not there writes it.
public final class StartTask implements TaskStart, JobTasks {
  private final TaskLog tasks;
  private final TaskGraph graph;

  public StartTask(TaskLog tasks) {
    this.tasks = tasks;
    this.graph = new TaskGraph(tasks);
  }

  @Override
  public Answer tell(RunKey run, RunRequest request, Requester by) {
    TaskRun of = request.task();
    if (of == null) {
      return new Answer.Taken(request);
    }
    if (!TaskKey.isTaskId(of.taskId())) {
      return new Answer.Refused(ManageTasks.notFound());
    }
    TaskKey key = new TaskKey(run.tenant(), of.taskId());
    TaskState state = tasks.load(key);
    TaskGraph.Above above = above(key, state);
    RunRequest below = request.of(of.below(above.root()));
    TaskCommand.Start start =
        new TaskCommand.Start(run.runId(), of.number(), below, of.reason(), by);
    return told(key, state, above, start)
        .<Answer>map(Answer.Refused::new)
        .orElseGet(() -> new Answer.Taken(below));
  }

  @Override
  public Optional<Problem> refusal(JobKey job, String taskId, Requester by) {
    if (!TaskKey.isTaskId(taskId)) {
      return Optional.of(ManageTasks.notFound());
    }
    TaskKey key = new TaskKey(job.tenant(), taskId);
    TaskState state = tasks.load(key);
    TaskGraph.Above above = above(key, state);
    return told(key, state, above, new TaskCommand.AddJob(job.jobId(), by));
  }

  @Override
  public String root(JobKey job, String taskId) {
    TaskKey key = new TaskKey(job.tenant(), taskId);
    return above(key, tasks.load(key)).root();
  }

  @Override
  public Optional<String> cancelled(JobKey job, String taskId) {
    return tasks.load(new TaskKey(job.tenant(), taskId)) instanceof TaskState.Existing task
        ? Optional.ofNullable(task.facts().cancel())
            .or(() -> Optional.ofNullable(graph.above(task.facts()).cancel()))
            .map(AdvanceTask.STOPPED::concat)
        : Optional.empty();
  }

  @Override
  public boolean paused(JobKey job, String taskId) {
    return tasks.load(new TaskKey(job.tenant(), taskId)) instanceof TaskState.Open(TaskFacts task)
        && task.paused() != null;
  }

  private TaskGraph.Above above(TaskKey key, TaskState state) {
    return state instanceof TaskState.Existing task
        ? graph.above(task.facts())
        : new TaskGraph.Above(null, key.taskId());
  }

  private Optional<Problem> told(
      TaskKey key, TaskState state, TaskGraph.Above above, TaskCommand command) {
    if (above.stopped()) {
      return Optional.of(TaskResult.problem(TaskDecision.Reason.CLOSED));
    }
    var result = tasks.execute(key, state, command);
    return result.decision() instanceof TaskDecision.Refuse refuse
        ? Optional.of(TaskResult.problem(refuse.reason()))
        : Optional.empty();
  }
}
