package dev.runyard.testkit.simulator;

import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.sweep.SweepRuns;
import java.time.Instant;
import java.time.InstantSource;

/// The schedule that fires the sweep function every minute.
final class SweepActor implements Actor {
  private static final int PERIOD_SECONDS = 60;
  private static final int FUNCTION_SECONDS = 55;

  private final SimulatedCaller caller = new SimulatedCaller(FUNCTION_SECONDS);
  private final SweepRuns sweep;
  private final InstantSource clock;
  private Instant next;

  /// @param clock of the world
  SweepActor(SimulatedSystem system, InstantSource skewed, InstantSource clock) {
    this.sweep = system.sweepRuns(caller, skewed);
    this.clock = clock;
    this.next = clock.instant().plusSeconds(PERIOD_SECONDS);
  }

  @Override
  public SimulatedCaller caller() {
    return caller;
  }

  @Override
  public Instant nextAt() {
    return next;
  }

  @Override
  public void act() {
    next = clock.instant().plusSeconds(PERIOD_SECONDS);
    for (SweepRuns.SweepFailure failure : sweep.sweep(Instant.MAX).failures()) {
      if (!(failure.cause() instanceof PortUnavailable)) {
        throw failure.cause();
      }
    }
  }

  @Override
  public void crashed() {}
}
