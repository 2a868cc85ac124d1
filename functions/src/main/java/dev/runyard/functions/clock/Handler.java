package dev.runyard.functions.clock;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.ScheduledEvent;
import dev.runyard.core.clock.ClockSweep;
import dev.runyard.functions.JsonLog;
import dev.runyard.functions.Wiring;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Every minute: what must happen without anybody's doing. A port that does not answer fails the
/// call, which an alarm sees; a single run that cannot be handled is logged and comes again.
public final class Handler implements RequestHandler<ScheduledEvent, @Nullable Void> {
  private final ClockSweep sweep;
  private final JsonLog log;

  public Handler() {
    this(System.getenv());
  }

  public Handler(Map<String, String> env) {
    this(new Wiring(env).clockSweep(), new JsonLog("clock"));
  }

  Handler(ClockSweep sweep, JsonLog log) {
    this.sweep = sweep;
    this.log = log;
  }

  @Override
  public @Nullable Void handleRequest(ScheduledEvent event, @Nullable Context context) {
    long start = System.nanoTime();
    List<ClockSweep.RunFailure> failures = sweep.sweep();
    failures.forEach(
        failure ->
            log.failure(
                "run_failed", failure.cause(), line -> line.put("run_id", failure.run().runId())));
    log.info(
        "sweep",
        line ->
            line.put("failures", failures.size())
                .put("millis", (System.nanoTime() - start) / 1_000_000));
    return null;
  }
}
