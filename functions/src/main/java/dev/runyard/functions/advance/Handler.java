package dev.runyard.functions.advance;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse;
import dev.runyard.core.advance.AdvanceRun;
import dev.runyard.core.advance.AdvanceRuns;
import dev.runyard.core.fleet.ScaleRunners;
import dev.runyard.functions.JsonLog;
import dev.runyard.functions.RunBatch;
import dev.runyard.functions.Threads;
import dev.runyard.functions.Wiring;
import java.time.InstantSource;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Advances every run whose state changed, and starts runners when a run waits for one. If none
/// starts, the reason is recorded in the waiting runs.
public final class Handler implements RequestHandler<DynamodbEvent, StreamsEventResponse> {
  private final AdvanceRuns advance;
  private final RunBatch batch;

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
    return advance.handle(action -> batch.handle(event, action));
  }
}
