package dev.runyard.functions.project;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse;
import dev.runyard.core.projection.ProjectRun;
import dev.runyard.functions.JsonLog;
import dev.runyard.functions.RunBatch;
import dev.runyard.functions.Threads;
import dev.runyard.functions.Wiring;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Updates the read model of every run whose state changed.
public final class Handler implements RequestHandler<DynamodbEvent, StreamsEventResponse> {
  private final ProjectRun project;
  private final RunBatch batch;

  public Handler() {
    this(System.getenv());
    batch.warmUp(project::project);
  }

  public Handler(Map<String, String> env) {
    this(new Wiring("project", env));
  }

  /// The function on the given ports.
  public Handler(Wiring wiring) {
    this(
        wiring.projectRun(),
        new RunBatch(
            new JsonLog("project"), wiring.streamFailures(), wiring.clock(), Threads.lanes()));
  }

  /// The function with the given parts, for tests and benchmarks.
  public Handler(ProjectRun project, RunBatch batch) {
    this.project = project;
    this.batch = batch;
  }

  @Override
  public StreamsEventResponse handleRequest(DynamodbEvent event, @Nullable Context context) {
    return batch.handle(event, project::project);
  }
}
