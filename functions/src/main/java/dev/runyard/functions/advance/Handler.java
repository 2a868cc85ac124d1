package dev.runyard.functions.advance;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse;
import dev.runyard.core.advance.AdvanceRun;
import dev.runyard.core.advance.AdvanceRuns;
import dev.runyard.core.application.JobCases;
import dev.runyard.core.application.TaskCases;
import dev.runyard.core.batch.StreamRoute;
import dev.runyard.core.fleet.ScaleRunners;
import dev.runyard.core.job.EndedItems;
import dev.runyard.core.job.JobKey;
import dev.runyard.core.job.JobModels;
import dev.runyard.core.job.JobState;
import dev.runyard.core.job.SweepJobs;
import dev.runyard.core.task.TaskBatch;
import dev.runyard.core.task.TaskKey;
import dev.runyard.functions.JsonLog;
import dev.runyard.functions.RunBatch;
import dev.runyard.functions.Threads;
import dev.runyard.functions.Wiring;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Advances every run, job and task whose state changed, and starts runners when a run waits for
/// one. If none starts, the reason is recorded in the waiting runs.
public final class Handler implements RequestHandler<DynamodbEvent, StreamsEventResponse> {
  private final AdvanceRuns advance;
  private final RunBatch batch;
  private Optional<Work> work = Optional.empty();

  public Handler() {
    this(System.getenv());
    var _ =
        advance.handle(
            action -> {
              batch.warmUp(action);
              return true;
            });
  }

  public Handler(Map<String, String> env) {
    this(new Wiring("advance", env));
  }

  /// The function on the given ports.
  public Handler(Wiring wiring) {
    this(wiring, new JsonLog("advance"));
  }

  private Handler(Wiring wiring, JsonLog log) {
    this(
        wiring.useCases().advanceRun(),
        wiring.scaleRunners(),
        new RunBatch(log, wiring.streamFailures(), wiring.clock(), Threads.lanes()),
        wiring.clock(),
        log);
    JobCases jobs = wiring.jobs();
    Optional<JobSteps> steps = wiring.jobSteps().map(thread -> steps(jobs, thread, log));
    steps.ifPresent(aside -> aside.look(() -> begun(jobs, wiring.clock().instant())));
    this.work = Optional.of(new Work(jobs, wiring.useCases().tasks(), steps));
  }

  private static JobSteps steps(JobCases jobs, Executor thread, JsonLog log) {
    return new JobSteps(
        jobs.advanceJob(),
        thread,
        (job, why) -> {
          log.failure("job_failed", why, line -> line.put("job_id", job.jobId()));
          keep(jobs, job, log);
        });
  }

  /// Has `sweep` look at the job. Where that cannot be written now, `sweep` finds it by its age.
  private static void keep(JobCases jobs, JobKey job, JsonLog log) {
    try {
      jobs.projectJob().keep(job);
    } catch (RuntimeException e) {
      log.failure("set_aside_unavailable", e, line -> line.put("job_id", job.jobId()));
    }
  }

  /// Jobs that may have been told of something by an earlier process.
  private static List<JobKey> begun(JobCases jobs, Instant now) {
    return IntStream.range(0, JobModels.DUE_SHARDS)
        .boxed()
        .flatMap(
            shard ->
                jobs
                    .models()
                    .due(shard, now.plusSeconds(JobState.CHECK_SECONDS), SweepJobs.DUE_MAX)
                    .stream())
        .toList();
  }

  /// The function with the given parts, for tests and benchmarks.
  public Handler(
      AdvanceRun advance, ScaleRunners scale, RunBatch batch, InstantSource clock, JsonLog log) {
    this.advance =
        new AdvanceRuns(advance, scale, clock, why -> log.failure("scale_failed", why, _ -> {}));
    this.batch = batch;
  }

  @Override
  public StreamsEventResponse handleRequest(DynamodbEvent event, @Nullable Context context) {
    return work.map(all -> handle(event, all))
        .orElseGet(() -> advance.handle(action -> batch.handle(event, action)));
  }

  /// What runs are parts of.
  private record Work(JobCases jobs, TaskCases tasks, Optional<JobSteps> aside) {}

  /// Runs first, then their jobs and tasks: what has ended is known by then, so each takes one step
  /// for all.
  private StreamsEventResponse handle(DynamodbEvent event, Work all) {
    EndedItems items = new EndedItems(all.jobs().advanceJob());
    TaskBatch tasks = new TaskBatch(all.tasks().advanceTask());
    StreamsEventResponse runs =
        advance.handle(
            action ->
                batch.handle(
                    event,
                    List.of(
                        batch.route(action), jobs(items::named, all), tasks(tasks::named, all))),
            state -> {
              items.saw(state);
              tasks.saw(state);
            });
    boolean aside = all.aside().isPresent();
    all.aside().ifPresent(steps -> steps.tell(items.all()));
    return (items.any() && !aside) || tasks.any()
        ? RunBatch.both(
            runs,
            batch.handle(
                event,
                List.of(
                    batch.route(
                        run -> {
                          if (!aside) {
                            items.advanceOf(run);
                          }
                          tasks.advanceOf(run);
                        }),
                    jobs(aside ? _ -> {} : items::advance, all),
                    tasks(tasks::advance, all))))
        : runs;
  }

  private static StreamRoute<JobKey> jobs(Consumer<JobKey> action, Work all) {
    return StreamRoute.jobs(action, all.jobs().projectJob()::keep);
  }

  private static StreamRoute<TaskKey> tasks(Consumer<TaskKey> action, Work all) {
    return StreamRoute.tasks(action, all.tasks().projectTask()::project);
  }
}
