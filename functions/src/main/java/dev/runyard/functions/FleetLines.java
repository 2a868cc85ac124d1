package dev.runyard.functions;

import dev.runyard.core.fleet.FleetLog;
import dev.runyard.core.fleet.StartFailure;
import dev.runyard.core.problem.Failure;

/// What there is to say of the fleet, as lines of the function's log.
public record FleetLines(JsonLog log) implements FleetLog {
  @Override
  public void failed(StartFailure failure) {
    log.error(
        Failure.RUNNER_START_FAILED,
        line -> line.put("cause", failure.cause().wire()).put("detail", failure.detail()));
  }

  @Override
  public void full(int wanted, int max) {
    log.info("runners_at_max", line -> line.put("wanted", wanted).put("max", max));
  }
}
