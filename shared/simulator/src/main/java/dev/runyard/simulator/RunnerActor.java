package dev.runyard.simulator;

import dev.runyard.core.attempt.AttemptTiming;
import dev.runyard.core.attempt.RunnerShare;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.queue.Ticket;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A runner: takes messages and has an attempt for each. A crash takes the machine: its attempts
/// and agents are gone, and another runner comes in its place. A stall stops the runner but not its
/// agents.
final class RunnerActor implements Actor {
  /// Runs of one that is there all the time.
  static final int RUNS_MAX = 2;

  private static final Duration UNREACHABLE_PAUSE = Duration.ofSeconds(1);
  private static final int STOP_SECONDS_MAX = 120;

  private final String name;
  private final SimulatedSystem system;
  private final InstantSource clock;
  private final AttemptTiming timing;
  private final Random random;
  private final @Nullable StartedTask task;
  private final Network network = new Network();
  private final SimulatedCaller caller = new SimulatedCaller(network);
  private final RunQueue queue;
  private final List<AttemptActor> attempts = new ArrayList<>();
  private RunnerShare share;
  private BackgroundActor background;
  private Instant awakeAt;
  private Instant pollAt;
  private Instant stopsAt = Instant.MAX;
  private Instant quietSince;
  private int crashes;
  private boolean receiving;

  /// @param task what it is the process of; null for a runner that is there all the time
  RunnerActor(
      String name,
      SimulatedSystem system,
      AttemptTiming timing,
      Random random,
      @Nullable StartedTask task) {
    this.name = name;
    this.system = system;
    this.task = task;
    this.clock = system.runnerClock();
    this.timing = timing;
    this.random = random;
    this.queue = system.ports(caller).queue();
    this.share = RunnerShare.of(name, timing);
    this.background = beginBackground();
    this.awakeAt = system.now();
    this.pollAt = system.now();
    this.quietSince = system.now();
  }

  private BackgroundActor beginBackground() {
    BackgroundActor begun = new BackgroundActor(this, system);
    system.timeline().add(begun);
    cutOff(begun);
    return begun;
  }

  String name() {
    return name;
  }

  BackgroundActor background() {
    return background;
  }

  /// What its attempts do together.
  RunnerShare share() {
    return share;
  }

  InstantSource clock() {
    return clock;
  }

  Instant awakeAt() {
    return awakeAt;
  }

  /// True while it has runs, or receives.
  boolean busy() {
    return receiving || !attempts.isEmpty();
  }

  /// Since when it has none.
  Instant quietSince() {
    return quietSince;
  }

  boolean draining() {
    return !stopsAt.equals(Instant.MAX);
  }

  int crashes() {
    return crashes;
  }

  void stall(Duration duration) {
    awakeAt = system.now().plus(duration);
    attempts.forEach(attempt -> attempt.caller().hit(Fault.STALL, system.now(), awakeAt));
  }

  /// It reaches these ports no more for a while.
  void cut(Set<Port> ports, Duration duration) {
    network.cut(ports, system.now().plus(duration));
    attempts.forEach(this::cutOff);
    cutOff(background);
  }

  private void cutOff(AttemptActor attempt) {
    attempt.caller().hit(Fault.PARTITION, system.now(), network.until());
  }

  /// All that it is there for is the bucket.
  private void cutOff(BackgroundActor of) {
    if (!network.reaches(Port.BUCKET, system.now())) {
      of.caller().hit(Fault.PARTITION, system.now(), network.until());
    }
  }

  Network network() {
    return network;
  }

  void wake() {
    awakeAt = system.now();
  }

  /// It is told to stop, and killed when it takes too long.
  void drain() {
    if (stopsAt.equals(Instant.MAX)) {
      stopsAt = system.now().plusSeconds(STOP_SECONDS_MAX);
      for (AttemptActor attempt : attempts) {
        attempt.caller().hit(Fault.DRAIN, system.now(), stopsAt);
        attempt.drain();
      }
    }
  }

  void over(AttemptActor attempt) {
    attempts.remove(attempt);
    quietSince = system.now();
    system.remove(attempt);
  }

  @Override
  public SimulatedCaller caller() {
    return caller;
  }

  @Override
  public Instant nextAt() {
    Instant due;
    if (draining()) {
      due = busy() ? stopsAt : task == null ? system.now() : Instant.MAX;
    } else if (attempts.size() >= runsMax() || (task != null && !task.mayTake())) {
      return Instant.MAX;
    } else {
      Instant there = system.runQueue().nextAt();
      due = there.isBefore(pollAt) ? pollAt : there;
    }
    return due.isBefore(awakeAt) ? awakeAt : due;
  }

  private int runsMax() {
    return task == null ? RUNS_MAX : system.setting().fleet().runsPerRunner();
  }

  @Override
  public void act() {
    if (draining()) {
      replace();
      return;
    }
    pollAt = system.now().plusMillis(10 + random.nextInt(300));
    for (Ticket ticket : received()) {
      AttemptActor attempt = new AttemptActor(this, system, random, timing, ticket);
      attempts.add(attempt);
      if (network.until().isAfter(system.now())) {
        cutOff(attempt);
      }
      system.add(attempt, background.caller());
      if (draining()) {
        attempt.caller().hit(Fault.DRAIN, system.now(), stopsAt);
        attempt.drain();
      }
    }
  }

  private List<Ticket> received() {
    receiving = true;
    try {
      return queue.receive(1, 0);
    } catch (PortUnavailable _) {
      pollAt = system.now().plus(UNREACHABLE_PAUSE);
      return List.of();
    } finally {
      receiving = false;
    }
  }

  @Override
  public void crashed() {
    if (caller.gone()) {
      return;
    }
    crashes++;
    replace();
    awakeAt = system.now().plusSeconds(random.nextInt(20));
  }

  /// What is left of this runner goes, and another one begins where one is always there.
  private void replace() {
    for (AttemptActor attempt : List.copyOf(attempts)) {
      attempt.vanish();
      over(attempt);
    }
    background.caller().vanish();
    system.timeline().remove(background);
    if (task == null) {
      share = RunnerShare.of(name, timing);
      background = beginBackground();
    } else {
      caller.vanish();
      task.died();
    }
    stopsAt = Instant.MAX;
    awakeAt = system.now();
  }
}
