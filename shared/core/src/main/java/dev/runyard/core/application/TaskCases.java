package dev.runyard.core.application;

import dev.runyard.core.agent.Capabilities;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.log.RecentStates;
import dev.runyard.core.log.Snapshots;
import dev.runyard.core.submit.RunRequestReader;
import dev.runyard.core.submit.SubmitRun;
import dev.runyard.core.task.AdvanceTask;
import dev.runyard.core.task.AsideRuns;
import dev.runyard.core.task.LinkTasks;
import dev.runyard.core.task.ManageTasks;
import dev.runyard.core.task.ModelTasks;
import dev.runyard.core.task.ProjectTask;
import dev.runyard.core.task.StartTask;
import dev.runyard.core.task.SweepTasks;
import dev.runyard.core.task.TaskLog;
import dev.runyard.core.task.TaskModels;
import dev.runyard.core.task.TaskRequestReader;
import dev.runyard.core.task.TaskState;
import dev.runyard.core.task.TaskStream;
import java.time.InstantSource;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The use cases of tasks in one process, which remember what they have seen of them.
public final class TaskCases {
  private final Ports ports;
  private final Supplier<AdvanceTask.Runs> runs;
  private final Origin origin;
  private final TaskLog log;
  private @Nullable AdvanceTask advance;

  /// @param writer names it in what it appends
  record Origin(InstantSource clock, Ids ids, String writer) {}

  TaskCases(Ports ports, Supplier<AdvanceTask.Runs> runs, Origin origin, TaskStream type) {
    this.ports = ports;
    this.runs = runs;
    this.origin = origin;
    Snapshots<TaskState> states = new RecentStates<>(new ModelTasks(models()), origin.clock());
    this.log =
        new TaskLog(type, ports.events(), states, origin.clock(), origin.ids(), origin.writer());
  }

  /// What tenants do with tasks.
  ///
  /// @param check looks at what requests name
  public ManageTasks manage(RunRequestReader reader, SubmitRun submit, SubmitRun.Check check) {
    return new ManageTasks(
        log,
        models(),
        new TaskRequestReader(reader, check),
        new ManageTasks.Runs(
            submit,
            new AsideRuns(
                runs.get().log(),
                runs.get().cancel(),
                run -> reader.offers(run.request(), Capabilities.PAUSE))),
        new ManageTasks.New(origin.ids(), origin.clock()));
  }

  public LinkTasks links() {
    return new LinkTasks(log);
  }

  /// Tells tasks of runs that are about to be written.
  public StartTask startTask() {
    return new StartTask(log);
  }

  public TaskLog log() {
    return log;
  }

  public TaskModels models() {
    return ports.tasks();
  }

  public synchronized AdvanceTask advanceTask() {
    AdvanceTask made = advance;
    if (made == null) {
      made = new AdvanceTask(log, links(), runs.get());
      advance = made;
    }
    return made;
  }

  public ProjectTask projectTask() {
    return new ProjectTask(log, models());
  }

  public SweepTasks sweepTasks() {
    return new SweepTasks(models(), advanceTask(), projectTask());
  }
}
