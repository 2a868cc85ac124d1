package dev.runyard.functions.project;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.projection.ProjectRun;
import dev.runyard.functions.JsonLog;
import dev.runyard.functions.RunBatch;
import dev.runyard.functions.Threads;
import dev.runyard.functions.Wiring;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Updates the read model of every run whose state changed, and raises the alarm for a run whose
/// log is not as it was written.
public final class Handler implements RequestHandler<DynamodbEvent, StreamsEventResponse> {
  private final ProjectRun project;
  private final RunBatch batch;
  private final JsonLog log;

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
  }

  /// The function with the given parts, for tests and benchmarks.
  public Handler(ProjectRun project, RunBatch batch, JsonLog log) {
    this.project = project;
    this.batch = batch;
    this.log = log;
  }

  @Override
  public StreamsEventResponse handleRequest(DynamodbEvent event, @Nullable Context context) {
    return batch.handle(event, this::project);
  }

  private void project(RunKey run) {
    long brokenAt = project.project(run);
    if (brokenAt > 0) {
      log.error("chain_broken", line -> line.put("run_id", run.runId()).put("sequence", brokenAt));
    }
  }
}
