package dev.runyard.testkit.simulator;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;

/// What befalls runners and stores from without, at times of its own.
final class Weather implements Actor {
  private static final int PAUSE_MILLIS_MAX = 25_000;

  private final SimulatedCaller caller = new SimulatedCaller(0);
  private final SimulatedSystem system;
  private final List<RunnerActor> runners;
  private final Random random;
  private Instant next;

  Weather(SimulatedSystem system, List<RunnerActor> runners, Random random) {
    this.system = system;
    this.runners = runners;
    this.random = random;
    this.next = system.now();
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
    next = system.now().plusMillis(random.nextInt(PAUSE_MILLIS_MAX));
    Faults faults = system.faults();
    RunnerActor runner = runners.get(random.nextInt(runners.size()));
    if (faults.strikes(Fault.CRASH, 0.05)) {
      runner.crashed();
    }
    if (faults.strikes(Fault.STALL, 0.1)) {
      runner.stall(seconds(120));
    }
    if (faults.strikes(Fault.DRAIN, 0.1)) {
      runner.drain();
    }
    if (faults.strikes(Fault.OUTAGE, 0.05)) {
      faults.outage(seconds(300));
    }
    if (faults.strikes(Fault.READ_THROTTLE, 0.05)) {
      faults.throttleReads(seconds(400));
    }
  }

  /// Some last longer than usual.
  private Duration seconds(int usual) {
    return Duration.ofSeconds(random.nextInt(random.nextInt(4) == 0 ? 3 * usual : usual));
  }

  @Override
  public void crashed() {}
}
