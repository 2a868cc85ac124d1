package dev.runyard.testkit.simulator;

import dev.runyard.core.advance.Lanes;
import dev.runyard.core.application.Ports;
import dev.runyard.core.application.UseCases;
import dev.runyard.core.fleet.FleetSize;
import dev.runyard.core.fleet.RunnerFleet;
import dev.runyard.core.fleet.Slots;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.memory.MemoryIdempotencyStore;
import dev.runyard.core.memory.MemoryReadModels;
import dev.runyard.core.memory.MemoryRunQueue;
import dev.runyard.core.memory.MemoryRunnerFleet;
import dev.runyard.core.memory.MemorySessionQueue;
import dev.runyard.core.memory.MemorySlots;
import dev.runyard.core.memory.SettableClock;
import dev.runyard.core.projection.ProjectRun;
import dev.runyard.core.projection.ReadModels;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.session.SessionQueue;
import dev.runyard.core.submit.IdempotencyStore;
import dev.runyard.core.sweep.SweepRuns;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Random;
import java.util.function.Function;
import java.util.function.Predicate;

/// What all processes of a history share: the stores, the world's time, the agents, and the faults.
/// The use cases stand on them as they do in deployment.
final class SimulatedSystem implements Ports {
  private static final int RECEIVE_COUNT_MAX = 5;
  private static final int OTHER_LEASE_SECONDS = 60;

  /// The runners are there from the beginning.
  private static final FleetSize NO_FLEET = new FleetSize(0, 0, 1);

  /// Either way, so that two clocks differ by what the limits allow for at most.
  private static final int SKEW_SECONDS_MAX = Limits.CLOCK_SKEW_SECONDS_MAX / 2;

  private final Random random;
  private final Defect defect;
  private final SettableClock clock = new SettableClock(Instant.parse("2026-01-01T00:00:00Z"));
  private final Timeline timeline;
  private final Faults faults;
  private final Ids ids;
  private final SimulatedLog log;
  private final ReadModels models = new MemoryReadModels();
  private final SessionQueue turns;
  private final IdempotencyStore keys = new MemoryIdempotencyStore();
  private final SimulatedQueue queue;
  private final MemoryRunQueue dead;
  private final MemoryRunQueue streamFailures;
  private final RunnerFleet fleet = new MemoryRunnerFleet();
  private final Slots slots = new MemorySlots();
  private final ScriptedAgents agents;
  private final FailureOracle oracle;

  /// @param faults made on this system's time
  SimulatedSystem(Random random, Defect defect, Function<Timeline, Faults> faults) {
    this.random = random;
    this.defect = defect;
    this.timeline = new Timeline(random, clock);
    this.faults = faults.apply(timeline);
    this.ids = new RandomIds(random);
    this.log = new SimulatedLog(defect);
    this.turns = Planted.turns(defect, new MemorySessionQueue());
    this.dead = new MemoryRunQueue(clock, OTHER_LEASE_SECONDS);
    this.streamFailures = new MemoryRunQueue(clock, OTHER_LEASE_SECONDS);
    this.queue =
        new SimulatedQueue(
            new MemoryRunQueue(clock, Limits.LEASE_SECONDS, RECEIVE_COUNT_MAX, dead),
            this.faults,
            clock,
            random);
    this.agents = new ScriptedAgents(random, clock, defect);
    this.oracle = new FailureOracle(this.faults, agents);
  }

  Timeline timeline() {
    return timeline;
  }

  Faults faults() {
    return faults;
  }

  FailureOracle oracle() {
    return oracle;
  }

  ScriptedAgents agents() {
    return agents;
  }

  SimulatedLog log() {
    return log;
  }

  Ids ids() {
    return ids;
  }

  InstantSource clock() {
    return clock;
  }

  Instant now() {
    return clock.instant();
  }

  void elapse(Duration duration) {
    timeline.elapse(duration);
  }

  void add(AttemptActor attempt) {
    timeline.add(attempt);
    oracle.attempt(attempt.attemptId(), attempt.caller());
  }

  void remove(AttemptActor attempt) {
    timeline.remove(attempt);
  }

  /// When the run queue has something to receive.
  Instant queued() {
    return queue.nextAt();
  }

  long duplicates() {
    return queue.duplicates();
  }

  /// Nothing is under way any more but what the log says.
  boolean settled() {
    return log.runs().stream().allMatch(run -> log.all(run).getLast().closed())
        && queue.depth().equals(new RunQueue.Depth(0, 0))
        && dead.runs().isEmpty()
        && streamFailures.runs().isEmpty();
  }

  /// A clock of one process.
  InstantSource skewed() {
    if (!faults.has(Fault.SKEW)) {
      return clock;
    }
    int millis = 1000 * SKEW_SECONDS_MAX;
    Duration skew = Duration.ofMillis(random.nextInt(2 * millis + 1) - millis);
    return () -> clock.instant().plus(skew);
  }

  /// How far two clocks may be apart.
  Duration skewMax() {
    return faults.kinds().contains(Fault.SKEW)
        ? Duration.ofSeconds(2 * SKEW_SECONDS_MAX)
        : Duration.ZERO;
  }

  /// Whoever is told of a run's end finds it in its session.
  Predicate<RunKey> tells(ProjectRun project) {
    return defect == Defect.SESSION_LEFT_BEHIND ? _ -> true : project::ended;
  }

  FaultyPorts ports(SimulatedCaller caller) {
    return new FaultyPorts(this, faults, caller);
  }

  UseCases useCases(FaultyPorts ports, InstantSource on, String writer) {
    return new UseCases(
        new PlantedPorts(ports, defect, writer), PlantedRules.of(defect), on, ids, writer);
  }

  /// The queue as an attempt uses it.
  RunQueue lease(FaultyPorts ports) {
    return Planted.lease(defect, ports.queue());
  }

  boolean has(Defect planted) {
    return defect == planted;
  }

  SweepRuns sweepRuns(SimulatedCaller caller, InstantSource on) {
    UseCases functions = useCases(ports(caller), on, "sweep");
    return functions.sweepRuns(functions.scaleRunners(NO_FLEET, _ -> {}), Lanes.one());
  }

  @Override
  public EventLog events() {
    return log;
  }

  @Override
  public ReadModels models() {
    return models;
  }

  @Override
  public SessionQueue turns() {
    return turns;
  }

  @Override
  public IdempotencyStore keys() {
    return keys;
  }

  @Override
  public RunQueue queue() {
    return queue;
  }

  @Override
  public RunQueue deadLetters() {
    return dead;
  }

  @Override
  public RunQueue streamFailures() {
    return streamFailures;
  }

  @Override
  public RunnerFleet fleet() {
    return fleet;
  }

  @Override
  public Slots slots() {
    return slots;
  }
}
