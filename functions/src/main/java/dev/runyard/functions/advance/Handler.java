package dev.runyard.functions.advance;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse;
import dev.runyard.core.advance.AdvanceRun;
import dev.runyard.core.fleet.ScaleRunners;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.run.RunState;
import dev.runyard.functions.JsonLog;
import dev.runyard.functions.RunBatch;
import dev.runyard.functions.Threads;
import dev.runyard.functions.Wiring;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Advances every run whose state changed, and starts runners when a run waits for one. If none
/// starts, the reason is recorded in the waiting runs.
public final class Handler implements RequestHandler<DynamodbEvent, StreamsEventResponse> {
  private final AdvanceRun advance;
  private final ScaleRunners scale;
  private final RunBatch batch;
  private final InstantSource clock;
  private final JsonLog log;

  public Handler() {
    this(System.getenv());
    batch.warmUp(advance::advance);
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
    this.advance = advance;
    this.scale = scale;
    this.batch = batch;
    this.clock = clock;
    this.log = log;
  }

  @Override
  public StreamsEventResponse handleRequest(DynamodbEvent event, @Nullable Context context) {
    List<RunKey> waiting = new CopyOnWriteArrayList<>();
    AtomicInteger accepted = new AtomicInteger();
    StreamsEventResponse response =
        batch.handle(
            event,
            run -> {
              RunState state = advance.advance(run);
              if (advance.wantsRunner(state)) {
                waiting.add(run);
                if (state instanceof RunState.Created) {
                  accepted.incrementAndGet();
                }
              }
            });
    if (!waiting.isEmpty()) {
      scale(waiting, accepted.get());
    }
    return response;
  }

  /// If starting runners fails, that is no reason to process the records again: `sweep` starts
  /// runners within a minute.
  private void scale(List<RunKey> waiting, int accepted) {
    try {
      scale
          .scale(clock.instant(), accepted)
          .ifPresent(block -> waiting.forEach(run -> advance.block(run, block)));
    } catch (RuntimeException e) {
      log.failure("scale_failed", e, _ -> {});
    }
  }
}
