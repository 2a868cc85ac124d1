package dev.runyard.functions.project;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse;
import dev.runyard.core.batch.StreamRoute;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.job.JobKey;
import dev.runyard.core.job.ProjectJob;
import dev.runyard.core.projection.ProjectRun;
import dev.runyard.core.task.ProjectTask;
import dev.runyard.core.task.TaskKey;
import dev.runyard.functions.JsonLog;
import dev.runyard.functions.RunBatch;
import dev.runyard.functions.Threads;
import dev.runyard.functions.Wiring;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Updates the read models of every run, job and task whose state changed, and raises the alarm for
/// one whose log is not as it was written.
public final class Handler implements RequestHandler<DynamodbEvent, StreamsEventResponse> {
  private final ProjectRun project;
  private final RunBatch batch;
  private final JsonLog log;
  private Optional<ProjectJob> jobs = Optional.empty();
  private Optional<ProjectTask> tasks = Optional.empty();

  public Handler() {
    this(System.getenv());
    batch.warmUp(this::project);
  }

  public Handler(Map<String, String> env) {
    this(new Wiring("project", env));
  }

  /// The function on the given ports.
  public Handler(Wiring wiring) {
    this(wiring, new JsonLog("project"));
  }

  private Handler(Wiring wiring, JsonLog log) {
    this(
        wiring.projectRun(),
        new RunBatch(log, wiring.streamFailures(), wiring.clock(), Threads.lanes()),
        log);
    this.jobs = Optional.of(wiring.useCases().projectJob());
    this.tasks = Optional.of(wiring.useCases().tasks().projectTask());
  }

  /// The function with the given parts, for tests and benchmarks.
  public Handler(ProjectRun project, RunBatch batch, JsonLog log) {
    this.project = project;
    this.batch = batch;
    this.log = log;
  }

  @Override
  public StreamsEventResponse handleRequest(DynamodbEvent event, @Nullable Context context) {
    List<StreamRoute<?>> routes = new ArrayList<>();
    routes.add(batch.route(this::project));
    jobs.ifPresent(all -> routes.add(StreamRoute.jobs(job -> project(all, job), all::keep)));
    tasks.ifPresent(
        all ->
            routes.add(StreamRoute.tasks(task -> project(all, task), task -> project(all, task))));
    return batch.handle(event, routes);
  }

  private void project(ProjectJob all, JobKey job) {
    long brokenAt = all.project(job);
    if (brokenAt > 0) {
      log.error("chain_broken", line -> line.put("job_id", job.jobId()).put("sequence", brokenAt));
    }
  }

  private void project(ProjectTask all, TaskKey task) {
    long brokenAt = all.project(task);
    if (brokenAt > 0) {
      log.error(
          "chain_broken", line -> line.put("task_id", task.taskId()).put("sequence", brokenAt));
    }
  }

  private void project(RunKey run) {
    long brokenAt = project.project(run);
    if (brokenAt > 0) {
      log.error("chain_broken", line -> line.put("run_id", run.runId()).put("sequence", brokenAt));
    }
  }
}
