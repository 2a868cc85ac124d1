package dev.runyard.simulator;

import dev.runyard.core.advance.AdvanceRun;
import dev.runyard.core.advance.AdvanceRuns;
import dev.runyard.core.advance.Lanes;
import dev.runyard.core.application.JobCases;
import dev.runyard.core.application.TaskCases;
import dev.runyard.core.application.UseCases;
import dev.runyard.core.batch.BatchLog;
import dev.runyard.core.batch.StreamBatch;
import dev.runyard.core.batch.StreamRecord;
import dev.runyard.core.batch.StreamRoute;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.ids.StreamKind;
import dev.runyard.core.job.EndedItems;
import dev.runyard.core.job.JobKey;
import dev.runyard.core.job.ProjectJob;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.projection.ProjectRun;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.run.RunState;
import dev.runyard.core.task.ProjectTask;
import dev.runyard.core.task.TaskBatch;
import dev.runyard.core.task.TaskKey;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/// A copy of a function that follows the log: which changes its event source sends to it, and how
/// it handles a batch of them, with the code that is deployed.
sealed interface StreamFunction {
  Role role();

  /// Whether its event source sends it this change.
  boolean takes(Chunk chunk);

  /// Handles a batch; returns the sequence numbers of the records that must come again.
  List<String> handle(List<StreamRecord> records);

  static StreamFunction advance(
      SimulatedSystem system, SimulatedCaller caller, InstantSource clock) {
    UseCases useCases = system.useCases(system.ports(caller), clock, Planted.DRIVER);
    AdvanceRun advance = useCases.advanceRun();
    Batches batches = new Batches(system, caller, clock, Role.ADVANCE);
    if (!system.setting().started()) {
      return new Advance(
          (batch, saw) -> batch.apply(run -> saw.accept(advance.advance(run))),
          batches,
          useCases.jobs(),
          useCases.tasks());
    }
    AdvanceRuns runs =
        new AdvanceRuns(advance, system.scaleRunners(useCases), clock, Advance::scaleFailed);
    return new Advance(runs::handle, batches, useCases.jobs(), useCases.tasks());
  }

  static StreamFunction project(
      SimulatedSystem system, SimulatedCaller caller, InstantSource clock) {
    UseCases useCases = system.useCases(system.ports(caller), clock, Planted.DRIVER);
    boolean bus = system.setting().integrated();
    return new Project(
        useCases.projectRun(bus),
        new Batches(system, caller, clock, Role.PROJECT),
        useCases.projectJob(),
        useCases.tasks().projectTask());
  }

  /// Advances runs, and then the jobs and tasks that these are of. It takes ends as well: whoever
  /// ended a run may have died before it let the next one go on.
  ///
  /// @param advance handles a batch, with the action for each of its runs
  record Advance(Moving advance, Batches batches, JobCases jobs, TaskCases tasks)
      implements StreamFunction {
    interface Moving {
      /// Handles it.
      ///
      /// @param saw is told of the state of each run
      List<String> handle(Function<Consumer<RunKey>, List<String>> batch, Consumer<RunState> saw);
    }

    @Override
    public Role role() {
      return Role.ADVANCE;
    }

    @Override
    public boolean takes(Chunk chunk) {
      return chunk.state().isPresent();
    }

    @Override
    public List<String> handle(List<StreamRecord> records) {
      EndedItems items = new EndedItems(jobs.advanceJob());
      TaskBatch batch = new TaskBatch(tasks.advanceTask());
      List<String> again =
          advance.handle(
              action ->
                  batches.handle(records, action, ofJobs(items::named), ofTasks(batch::named)),
              state -> {
                items.saw(state);
                batch.saw(state);
              });
      return items.any() || batch.any()
          ? Stream.concat(again.stream(), handle(records, items, batch).stream())
              .distinct()
              .toList()
          : again;
    }

    private List<String> handle(List<StreamRecord> records, EndedItems items, TaskBatch batch) {
      return batches.handle(
          records,
          run -> {
            items.advanceOf(run);
            batch.advanceOf(run);
          },
          ofJobs(items::advance),
          ofTasks(batch::advance));
    }

    private StreamRoute<TaskKey> ofTasks(Consumer<TaskKey> action) {
      return StreamRoute.tasks(action, tasks.projectTask()::project);
    }

    private StreamRoute<JobKey> ofJobs(Consumer<JobKey> action) {
      return StreamRoute.jobs(action, jobs.projectJob()::keep);
    }

    private static void scaleFailed(RuntimeException why) {
      if (!(why instanceof PortUnavailable)) {
        throw why;
      }
    }
  }

  /// Brings read models up to date.
  record Project(ProjectRun project, Batches batches, ProjectJob jobs, ProjectTask tasks)
      implements StreamFunction {
    @Override
    public Role role() {
      return Role.PROJECT;
    }

    @Override
    public boolean takes(Chunk chunk) {
      return chunk.state().isPresent();
    }

    @Override
    public List<String> handle(List<StreamRecord> records) {
      return batches.handle(
          records,
          project::project,
          StreamRoute.jobs(
              job -> {
                var _ = jobs.project(job);
              },
              jobs::keep),
          StreamRoute.tasks(tasks::project, tasks::project));
    }
  }

  /// The batches of one copy of a function. An exception that no fault explains is a violation.
  final class Batches implements BatchLog {
    private final SimulatedSystem system;
    private final Role role;
    private final RunQueue streamFailures;
    private final StreamBatch batch;

    Batches(SimulatedSystem system, SimulatedCaller caller, InstantSource clock, Role role) {
      this.system = system;
      this.role = role;
      this.streamFailures = system.ports(caller).streamFailures();
      this.batch = new StreamBatch(this, clock, Lanes.one());
    }

    List<String> handle(
        List<StreamRecord> records,
        Consumer<RunKey> action,
        StreamRoute<JobKey> jobs,
        StreamRoute<TaskKey> tasks) {
      Consumer<RunKey> each = Planted.action(system, run -> act(run, action));
      return batch.handle(records, List.of(StreamRoute.runs(each, streamFailures), jobs, tasks));
    }

    private void act(RunKey run, Consumer<RunKey> action) {
      if (system.faults().poisons(role, run)) {
        throw new Poison();
      }
      action.accept(run);
    }

    @Override
    public void failed(String event, StreamKey stream, RuntimeException cause) {
      if (!(cause instanceof PortUnavailable) && !(cause instanceof Poison)) {
        system.timeline().failed(role + " of " + stream, cause);
      }
    }

    @Override
    public void setAside(StreamKey stream) {}

    @Override
    public void unknown(StreamKind kind) {
      throw new IllegalStateException("a record of an unknown kind: " + kind);
    }

    @Override
    public void noStream(IllegalArgumentException cause) {
      throw cause;
    }
  }

  /// The function's code fails on this run.
  final class Poison extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    Poison() {
      super("simulated poison");
    }
  }
}
