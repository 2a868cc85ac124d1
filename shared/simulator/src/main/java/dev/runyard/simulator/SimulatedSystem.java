package dev.runyard.simulator;

import dev.runyard.core.advance.Lanes;
import dev.runyard.core.application.StackTerms;
import dev.runyard.core.application.UseCases;
import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.fleet.RunnerFleet;
import dev.runyard.core.fleet.ScaleRunners;
import dev.runyard.core.fleet.Slots;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.job.ItemPlaces;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.memory.MemoryArtifactStore;
import dev.runyard.core.memory.MemoryRunQueue;
import dev.runyard.core.memory.SettableClock;
import dev.runyard.core.projection.ProjectRun;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.quota.HeldRuns;
import dev.runyard.core.quota.TenantUses;
import dev.runyard.core.session.SessionQueue;
import dev.runyard.core.submit.IdempotencyStore;
import dev.runyard.core.sweep.SweepRuns;
import dev.runyard.core.wakeup.Wakeups;
import dev.runyard.core.webhook.WebhookPorts;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Random;
import java.util.function.Function;
import java.util.function.Predicate;

/// What all processes of a history share: the stores, the world's time, the agents, and the faults.
/// The use cases stand on them as they do in deployment.
final class SimulatedSystem extends UnusedPorts {
  /// When every history begins.
  static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

  private static final int RECEIVE_COUNT_MAX = 5;
  private static final int OTHER_LEASE_SECONDS = 60;

  private final Defect defect;
  private final Setting setting;
  private final SkewedTimes clocks;
  private final SettableClock clock = new SettableClock(BEGIN);
  private final Timeline timeline;
  private final Faults faults;
  private final Ids ids;
  private final SimulatedLog log;
  private final WatchedModels models;
  private final SessionQueue turns;
  private final IdempotencyStore keys;
  private final TenantUses uses;
  private final HeldRuns held;
  private final SimulatedQueue queue;
  private final DeadLetters dead;
  private final MemoryRunQueue streamFailures;
  private final SimulatedFleet fleet;
  private final Slots slots;
  private final SimulatedWakeups wakeups;
  private final OtherSystems others;
  private final Alarms alarms = new Alarms(clock);
  private final MemoryArtifactStore bucket = new MemoryArtifactStore();
  private final ScriptedAgents agents;
  private final AttemptHits attempts;
  private final StoreOracle stores;
  private final FailureOracle oracle;
  private final LifeOracle lives;
  private final MemoryOracle memories = new MemoryOracle();
  private final Orphans orphans = new Orphans();
  private final WorkMeter meter = new WorkMeter();
  private final LostRecords lostRecords = new LostRecords();

  /// @param faults made on this system's time
  SimulatedSystem(
      Random random, Defect defect, Setting setting, Function<Timeline, Faults> faults) {
    this(random, defect, setting, faults, _ -> SimulatedStorage.memory());
  }

  /// @param faults made on this system's time
  /// @param storage made on this system's clock
  SimulatedSystem(
      Random random,
      Defect defect,
      Setting setting,
      Function<Timeline, Faults> faults,
      Function<InstantSource, SimulatedStorage> storage) {
    SimulatedStorage kept = storage.apply(clock);
    this.defect = defect;
    this.setting = setting;
    this.timeline = new Timeline(random, clock, alarms);
    this.faults = faults.apply(timeline);
    this.clocks = new SkewedTimes(random, clock, this.faults);
    this.ids = new RandomIds(random);
    this.log = new SimulatedLog(defect, clock, kept.events());
    this.models = new WatchedModels(Planted.models(defect, kept.models()));
    this.turns = kept.turns();
    Expiry expiry = new Expiry(this.faults, random);
    this.keys = Planted.keys(this, expiry, kept.keys());
    this.wakeups = new SimulatedWakeups(clock, expiry);
    this.uses = kept.counts().uses();
    this.held = kept.counts().held();
    this.attempts = new AttemptHits(this.faults);
    MemoryRunQueue letters = new MemoryRunQueue(clock, OTHER_LEASE_SECONDS);
    this.dead = new DeadLetters(letters, attempts);
    this.streamFailures = new MemoryRunQueue(clock, OTHER_LEASE_SECONDS);
    this.queue =
        new SimulatedQueue(
            new MemoryRunQueue(clock, Limits.LEASE_SECONDS, RECEIVE_COUNT_MAX, letters),
            dead,
            this.faults,
            clock,
            random);
    this.agents = ScriptedAgents.of(setting, random, clock, defect);
    this.fleet = new SimulatedFleet(this, random);
    this.slots = Planted.slots(this, kept.slots());
    this.others = new OtherSystems(this, random);
    this.stores = new StoreOracle(bucket, agents, this.faults, attempts);
    this.oracle = new FailureOracle(this.faults, agents, attempts, stores, fleet.oracle());
    this.lives = new LifeOracle(agents, attempts, orphans, clocks.skewMax());
    log.watch(
        chunk -> {
          stores.appended(chunk);
          lives.appended(chunk, now());
          oracle.appended(chunk, now());
        });
  }

  Timeline timeline() {
    return timeline;
  }

  Faults faults() {
    return faults;
  }

  Setting setting() {
    return setting;
  }

  Alarms alarms() {
    return alarms;
  }

  SimulatedFleet runners() {
    return fleet;
  }

  AttemptHits attempts() {
    return attempts;
  }

  FailureOracle oracle() {
    return oracle;
  }

  StoreOracle stores() {
    return stores;
  }

  MemoryOracle memories() {
    return memories;
  }

  Orphans orphans() {
    return orphans;
  }

  LifeOracle lives() {
    return lives;
  }

  OtherSystems others() {
    return others;
  }

  WorkMeter meter() {
    return meter;
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

  /// @param background who does for it what takes long
  void add(AttemptActor attempt, SimulatedCaller background) {
    timeline.add(attempt);
    attempts.began(attempt, background, now());
    fleet.oracle().working();
  }

  void remove(AttemptActor attempt) {
    attempts.over(attempt.attemptId(), now());
    timeline.remove(attempt);
  }

  /// The queue of runs as it is, without faults and defects.
  SimulatedQueue runQueue() {
    return queue;
  }

  /// What stream functions gave up.
  LostRecords lostRecords() {
    return lostRecords;
  }

  /// Nothing is under way any more but what the log says.
  boolean settled() {
    return log.runs().stream().allMatch(run -> log.last(run).closed())
        && log.jobs().stream().allMatch(job -> log.last(job).closed())
        && log.tasks().stream().allMatch(task -> TaskOracle.rests(log, task))
        && lostRecords.caughtUp(models)
        && queue.depth().equals(new RunQueue.Depth(0, 0))
        && dead.none()
        && streamFailures.runs().isEmpty()
        && others.settled();
  }

  /// Raises the alarms of queues that should be empty.
  void watchQueues() {
    if (dead.depth().waiting() > 0) {
      alarms.raise(Alarms.Alarm.DEAD_RUNS);
    }
    if (streamFailures.depth().waiting() > 0) {
      alarms.raise(Alarms.Alarm.STREAM_FAILURES);
    }
    if (lostRecords.any()) {
      alarms.raise(Alarms.Alarm.LOST_RECORDS);
    }
  }

  /// A clock of a runner.
  InstantSource runnerClock() {
    return clocks.ofRunner();
  }

  /// A clock of a function or a client.
  InstantSource skewed() {
    return clocks.ofOther();
  }

  /// How far two clocks may differ.
  Duration skewMax() {
    return clocks.skewMax();
  }

  /// Whoever is told of a run's end finds it in its session.
  Predicate<RunKey> tells(ProjectRun project) {
    return defect == Defect.SESSION_LEFT_BEHIND ? _ -> true : project::ended;
  }

  FaultyPorts ports(SimulatedCaller caller) {
    return new FaultyPorts(this, faults, caller, meter, setting);
  }

  /// The bucket as somebody reaches it.
  ArtifactStore bucket(SimulatedCaller caller) {
    return ports(caller).bucket(Planted.bucket(defect, bucket));
  }

  UseCases useCases(FaultyPorts ports, InstantSource on, String writer) {
    return new UseCases(
        new PlantedPorts(ports, defect, writer),
        new StackTerms(
            PlantedRules.of(defect),
            PlantedJobs.rules(defect),
            PlantedTasks.rules(defect),
            setting.quotas(),
            ItemPlaces.UNLIMITED,
            IdempotencyStore.TURN_SECONDS),
        on,
        ids,
        writer);
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
    return functions.sweepRuns(scaleRunners(functions), Lanes.one(), setting.integrated());
  }

  ScaleRunners scaleRunners(UseCases functions) {
    return functions.scaleRunners(setting.fleet(), _ -> {});
  }

  @Override
  public EventLog events() {
    return log;
  }

  @Override
  public WatchedModels models() {
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
  public TenantUses uses() {
    return uses;
  }

  @Override
  public HeldRuns held() {
    return held;
  }

  @Override
  public RunQueue queue() {
    return has(Defect.TURN_COUNTED_AS_WAIT) ? new BehindCounted(log, queue) : queue;
  }

  @Override
  public DeadLetters deadLetters() {
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

  @Override
  public Wakeups wakeups() {
    return wakeups;
  }

  @Override
  public WebhookPorts webhooks() {
    return others.ports();
  }
}
