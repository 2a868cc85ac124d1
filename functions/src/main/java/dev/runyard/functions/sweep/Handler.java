package dev.runyard.functions.sweep;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.ScheduledEvent;
import dev.runyard.core.sweep.SweepRuns;
import dev.runyard.functions.JsonLog;
import dev.runyard.functions.Wiring;
import java.time.InstantSource;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Catches up every minute on what was missed. What could not be handled is logged and handled
/// again in the next minute; then the call ends with an error, so that the one alarm on the
/// function's errors also tells of parts that fail each time and of runners that do not start.
/// Nobody repeats the call: the next minute's does what is left.
public final class Handler implements RequestHandler<ScheduledEvent, @Nullable Void> {
  /// The part of the function's time that a sweep leaves unused: room for one call that is never
  /// answered.
  static final int SWEEP_RESERVE_MILLIS = 20_000;

  /// Time of a call without a stated time limit.
  static final int SWEEP_MILLIS_DEFAULT = 35_000;

  private final SweepRuns sweep;
  private final InstantSource clock;
  private final JsonLog log;

  public Handler() {
    this(System.getenv());
  }

  public Handler(Map<String, String> env) {
    this(new Wiring("sweep", env));
  }

  /// The function on the given ports.
  public Handler(Wiring wiring) {
    this(wiring, new JsonLog("sweep"));
  }

  private Handler(Wiring wiring, JsonLog log) {
    this(wiring.sweepRuns(), wiring.clock(), log);
  }

  /// The function with the given parts, for tests.
  public Handler(SweepRuns sweep, InstantSource clock, JsonLog log) {
    this.sweep = sweep;
    this.clock = clock;
    this.log = log;
  }

  @Override
  public @Nullable Void handleRequest(ScheduledEvent event, @Nullable Context context) {
    long start = System.nanoTime();
    SweepRuns.Swept swept = sweep.sweep(clock.instant().plusMillis(millis(context)));
    swept
        .failures()
        .forEach(
            failure ->
                log.failure(
                    "sweep_failed",
                    failure.cause(),
                    line -> line.put("subject", failure.subject())));
    swept.dead().forEach(run -> log.info("dead_letter", line -> line.put("run_id", run.runId())));
    log.info(
        "sweep",
        line ->
            line.put("handled", swept.handled())
                .put("left", swept.left())
                .put("blocked", swept.blocked())
                .put("failures", swept.failures().size())
                .put("waited_seconds", swept.waitedSeconds())
                .put("millis", (System.nanoTime() - start) / 1_000_000));
    if (swept.failed()) {
      throw new PartsFailed(swept);
    }
    return null;
  }

  private static long millis(@Nullable Context context) {
    return context == null
        ? SWEEP_MILLIS_DEFAULT
        : Math.max(0, context.getRemainingTimeInMillis() - SWEEP_RESERVE_MILLIS);
  }
}
