package dev.runyard.simulator;

import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.log.Chunk;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.Set;

/// What befalls runners and stores from without, at times of its own.
final class Weather implements Actor {
  private static final int PAUSE_MILLIS_MAX = 25_000;

  private static final Set<Port> EVERYTHING = Set.of(Port.values());

  /// What a runner may be cut off from.
  private static final List<Set<Port>> CUTS = List.of(EVERYTHING, Faults.LOG, Set.of(Port.QUEUE));

  /// One run in so many is queued right before the log goes away.
  private static final double UNCLAIMED = 0.005;

  /// Where clocks are wrong, so often no runner reaches the log after a quiet attempt said that it
  /// lives.
  private static final double UNHEARD = 0.3;

  private final SimulatedCaller caller = new SimulatedCaller();
  private final SimulatedSystem system;
  private final List<RunnerActor> runners;
  private final Random random;
  private final boolean alone;
  private Instant next;

  Weather(SimulatedSystem system, List<RunnerActor> runners, Random random) {
    this.system = system;
    this.runners = runners;
    this.random = random;
    this.alone = system.setting().alone();
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
    List<RunnerActor> there = runners.stream().filter(runner -> !runner.caller().gone()).toList();
    if (!there.isEmpty()) {
      befall(there.get(random.nextInt(there.size())), faults);
    }
    if (faults.strikes(Fault.START_FAILS, alone ? 0.5 : 0.1)) {
      system.runners().fails(seconds(600));
    }
    if (faults.strikes(Fault.START_SLOW, alone ? 0.5 : 0.2)) {
      system.runners().slow(seconds(200));
    }
    if (faults.strikes(Fault.OUTAGE, 0.05)) {
      faults.outage(seconds(300));
    }
    if (faults.strikes(Fault.READ_THROTTLE, 0.05)) {
      faults.throttleReads(seconds(400));
    }
    if (faults.strikes(Fault.WRITE_THROTTLE, 0.05)) {
      faults.throttleWrites(seconds(400));
    }
    for (Fault store : Outages.STORES.keySet()) {
      if (faults.strikes(store, 0.02)) {
        faults.goesAway(store);
      }
    }
  }

  private void befall(RunnerActor runner, Faults faults) {
    if (faults.strikes(Fault.CRASH, 0.05)) {
      runner.crashed();
    }
    if (faults.strikes(Fault.STALL, 0.1)) {
      runner.stall(seconds(120));
    }
    if (faults.strikes(Fault.DRAIN, 0.1)) {
      runner.drain();
    }
    if (faults.strikes(Fault.PARTITION, 0.05)) {
      runner.cut(CUTS.get(random.nextInt(CUTS.size())), seconds(300));
    }
  }

  /// Something was appended just now.
  void saw(Chunk chunk) {
    List<StoredEvent> events = chunk.events(EventCodec.RUNS);
    if (events.getLast().event() instanceof RunEvent.TaskQueued
        && system.faults().strikes(Fault.OUTAGE, UNCLAIMED)) {
      system.faults().outage(seconds(300).plusSeconds(200), Faults.LOG, true);
    }
    if (system.faults().has(Fault.SKEW)
        && events.stream().anyMatch(stored -> stored.event() instanceof RunEvent.RunStatus)
        && system.faults().strikes(Fault.PARTITION, UNHEARD)) {
      Duration cut = seconds(100).plusSeconds(150);
      runners.forEach(runner -> runner.cut(Faults.LOG, cut));
    }
  }

  /// Some last longer than usual.
  private Duration seconds(int usual) {
    return Duration.ofSeconds(random.nextInt(random.nextInt(4) == 0 ? 3 * usual : usual));
  }

  @Override
  public void crashed() {}
}
