package dev.runyard.functions.advance;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse;
import dev.runyard.core.advance.AdvanceRun;
import dev.runyard.core.advance.AdvanceRuns;
import dev.runyard.core.application.JobCases;
import dev.runyard.core.batch.StreamRoute;
import dev.runyard.core.fleet.ScaleRunners;
import dev.runyard.core.job.EndedItems;
import dev.runyard.core.job.JobKey;
import dev.runyard.functions.JsonLog;
import dev.runyard.functions.RunBatch;
import dev.runyard.functions.Threads;
import dev.runyard.functions.Wiring;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Advances every run and job whose state changed, and starts runners when a run waits for one. If
/// none starts, the reason is recorded in the waiting runs.
public final class Handler implements RequestHandler<DynamodbEvent, StreamsEventResponse> {
  private final AdvanceRuns advance;
  private final RunBatch batch;
  private Optional<JobCases> jobs = Optional.empty();

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
        wiring.advanceRun(),
        wiring.scaleRunners(),
        new RunBatch(log, wiring.streamFailures(), wiring.clock(), Threads.lanes()),
        wiring.clock(),
        log);
    this.jobs = Optional.of(wiring.jobs());
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
    return jobs.map(all -> handle(event, all))
        .orElseGet(() -> advance.handle(action -> batch.handle(event, action)));
  }

  /// Runs first, then their jobs: what has ended is known by then, so a job takes one step for all.
  private StreamsEventResponse handle(DynamodbEvent event, JobCases all) {
    EndedItems items = new EndedItems(all.advanceJob());
    StreamsEventResponse runs =
        advance.handle(
            action -> batch.handle(event, List.of(batch.route(action), jobs(items::named, all))),
            items::saw);
    return items.any()
        ? RunBatch.both(
            runs,
            batch.handle(event, List.of(batch.route(items::advanceOf), jobs(items::advance, all))))
        : runs;
  }

  private static StreamRoute<JobKey> jobs(Consumer<JobKey> action, JobCases all) {
    return StreamRoute.jobs(action, all.projectJob()::keep);
  }
}
