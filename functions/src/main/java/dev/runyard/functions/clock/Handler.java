package dev.runyard.functions.clock;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.ScheduledEvent;
import dev.runyard.core.clock.ClockSweep;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.functions.JsonLog;
import dev.runyard.functions.Wiring;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Every minute: what must happen without anybody's doing. What could not be handled is logged and
/// comes again; a port that does not answer also fails the call, which an alarm sees.
public final class Handler implements RequestHandler<ScheduledEvent, @Nullable Void> {
  private final ClockSweep sweep;
  private final JsonLog log;

  public Handler() {
    this(System.getenv());
  }

  public Handler(Map<String, String> env) {
    this(new Wiring("clock", env).clockSweep(), new JsonLog("clock"));
  }

  Handler(ClockSweep sweep, JsonLog log) {
    this.sweep = sweep;
    this.log = log;
  }

  @Override
  public @Nullable Void handleRequest(ScheduledEvent event, @Nullable Context context) {
    long start = System.nanoTime();
    List<ClockSweep.SweepFailure> failures = sweep.sweep();
    failures.forEach(
        failure ->
            log.failure(
                "sweep_failed", failure.cause(), line -> line.put("subject", failure.subject())));
    log.info(
        "sweep",
        line ->
            line.put("failures", failures.size())
                .put("millis", (System.nanoTime() - start) / 1_000_000));
    for (ClockSweep.SweepFailure failure : failures) {
      if (failure.cause() instanceof PortUnavailable unavailable) {
        throw unavailable;
      }
    }
    return null;
  }
}
