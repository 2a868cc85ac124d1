package dev.runyard.testkit.simulator;

import dev.runyard.core.attempt.AttemptTiming;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.queue.Ticket;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// A runner: takes messages and has an attempt for each. A crash takes the machine: its attempts
/// and agents are gone, and another runner comes in its place. A stall stops the runner but not its
/// agents.
final class RunnerActor implements Actor {
  private static final int RUNS_MAX = 2;
  private static final int STOP_SECONDS_MAX = 120;

  private final String name;
  private final SimulatedSystem system;
  private final InstantSource clock;
  private final AttemptTiming timing;
  private final Random random;
  private final SimulatedCaller caller = new SimulatedCaller(0);
  private final RunQueue queue;
  private final List<AttemptActor> attempts = new ArrayList<>();
  private Instant awakeAt;
  private Instant pollAt;
  private Instant stopsAt = Instant.MAX;
  private int crashes;

  RunnerActor(
      String name,
      SimulatedSystem system,
      InstantSource clock,
      AttemptTiming timing,
      Random random) {
    this.name = name;
    this.system = system;
    this.clock = clock;
    this.timing = timing;
    this.random = random;
    this.queue = system.ports(caller).queue();
    this.awakeAt = system.now();
    this.pollAt = system.now();
  }

  String name() {
    return name;
  }

  InstantSource clock() {
    return clock;
  }

  Instant awakeAt() {
    return awakeAt;
  }

  int crashes() {
    return crashes;
  }

  void stall(Duration duration) {
    awakeAt = system.now().plus(duration);
    attempts.forEach(attempt -> attempt.caller().hit(Fault.STALL, system.now(), awakeAt));
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
    system.remove(attempt);
  }

  @Override
  public SimulatedCaller caller() {
    return caller;
  }

  @Override
  public Instant nextAt() {
    Instant due;
    if (!stopsAt.equals(Instant.MAX)) {
      due = attempts.isEmpty() ? system.now() : stopsAt;
    } else if (attempts.size() >= RUNS_MAX) {
      return Instant.MAX;
    } else {
      Instant there = system.queued();
      due = there.isBefore(pollAt) ? pollAt : there;
    }
    return due.isBefore(awakeAt) ? awakeAt : due;
  }

  @Override
  public void act() {
    if (!stopsAt.equals(Instant.MAX)) {
      replace();
      return;
    }
    List<Ticket> tickets;
    pollAt = system.now().plusMillis(10 + random.nextInt(300));
    try {
      tickets = queue.receive(1, 0);
    } catch (PortUnavailable _) {
      return;
    }
    for (Ticket ticket : tickets) {
      AttemptActor attempt = new AttemptActor(this, system, random, timing, ticket);
      attempts.add(attempt);
      system.add(attempt);
      if (!stopsAt.equals(Instant.MAX)) {
        attempt.caller().hit(Fault.DRAIN, system.now(), stopsAt);
        attempt.drain();
      }
    }
  }

  @Override
  public void crashed() {
    crashes++;
    replace();
    awakeAt = system.now().plusSeconds(random.nextInt(20));
  }

  /// What is left of this runner goes, and another one begins.
  private void replace() {
    for (AttemptActor attempt : List.copyOf(attempts)) {
      attempt.vanish();
      over(attempt);
    }
    stopsAt = Instant.MAX;
    awakeAt = system.now();
  }
}
