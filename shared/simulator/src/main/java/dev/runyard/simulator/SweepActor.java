package dev.runyard.simulator;

import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.sweep.SweepRuns;
import java.time.Instant;
import java.time.InstantSource;

/// The schedule that fires the sweep function every minute. A second one fires at times, so that
/// there are two sweeps at once.
final class SweepActor implements Actor {
  static final int PERIOD_SECONDS = 60;
  private static final int FUNCTION_SECONDS = 55;

  /// The function stops this long before its time is over.
  private static final int RESERVE_SECONDS = 20;

  /// A run that has waited for a runner for so long raises an alarm.
  private static final int WAITED_SECONDS = 600;

  private static final double TWICE = 0.3;

  private final SimulatedCaller caller = new SimulatedCaller(Role.SWEEP, FUNCTION_SECONDS);
  private final SimulatedSystem system;
  private final boolean second;
  private final InstantSource clock;
  private final SweepRuns sweep;
  private Instant next;

  SweepActor(SimulatedSystem system, boolean second) {
    this.system = system;
    this.second = second;
    this.clock = system.skewed();
    this.sweep = system.sweepRuns(caller, clock);
    this.next = system.now().plusSeconds(PERIOD_SECONDS);
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
    next = system.now().plusSeconds(PERIOD_SECONDS);
    if (second && !system.faults().strikes(Fault.TWICE, TWICE)) {
      return;
    }
    system.watchQueues();
    Instant until = clock.instant().plusSeconds(FUNCTION_SECONDS - RESERVE_SECONDS);
    SweepRuns.Swept swept = sweep.sweep(until);
    if (swept.failed()) {
      system.alarms().raise(Alarms.Alarm.SWEEP_ERRORS);
    }
    if (swept.waitedSeconds() >= WAITED_SECONDS) {
      system.alarms().raise(Alarms.Alarm.WAITING_RUNS);
    }
    for (SweepRuns.SweepFailure failure : swept.failures()) {
      if (!(failure.cause() instanceof PortUnavailable)) {
        throw failure.cause();
      }
    }
  }

  /// If only starts are slow, it must have time for all its work.
  @Override
  public void crashed() {
    system.alarms().raise(Alarms.Alarm.SWEEP_ERRORS);
    if (system.faults().slowAlone()) {
      system.timeline().failed("a sweep", new IllegalStateException("it ran out of time"));
    }
  }
}
