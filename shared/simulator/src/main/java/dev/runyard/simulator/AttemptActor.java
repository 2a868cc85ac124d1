package dev.runyard.simulator;

import dev.runyard.core.attempt.AttemptClaim;
import dev.runyard.core.attempt.AttemptLoop;
import dev.runyard.core.attempt.AttemptPorts;
import dev.runyard.core.attempt.AttemptTiming;
import dev.runyard.core.attempt.Step;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.queue.Ticket;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;

/// One attempt at a runner, on a thread of its own there, and the agent it starts.
final class AttemptActor implements Actor {
  private static final double DRAIN = 0.003;
  private static final double ORPHAN = 0.7;

  /// A silence that [Defect#READ_TAKEN_FOR_WRITE] makes nothing of.
  private static final Duration SILENCE = Duration.ofSeconds(Limits.LEASE_SECONDS);

  private final RunnerActor runner;
  private final SimulatedSystem system;
  private final String attemptId;
  private final SimulatedCaller caller;
  private final AttemptLoop loop;
  private final Machine machine;
  private final WatchedQueue lease;
  private final EventLog log;
  private final Ticket ticket;
  private final RunKey run;
  private Instant stepped;
  private Instant next;
  private Instant notBefore;

  AttemptActor(
      RunnerActor runner, SimulatedSystem system, Random random, AttemptTiming timing, Ticket of) {
    this.runner = runner;
    this.system = system;
    this.attemptId = system.ids().token();
    this.caller = new SimulatedCaller(runner.network());
    this.next = system.now();
    this.notBefore = system.now();
    FaultyPorts ports = system.ports(caller);
    this.log = ports.events();
    this.ticket = of;
    this.run = of.run();
    this.stepped = runner.clock().instant();
    this.lease = new WatchedQueue(system.lease(ports), system.clock());
    this.machine = new Machine(system, caller, runner.background(), random);
    this.loop =
        new AttemptLoop(
            new AttemptPorts(
                system.useCases(ports, runner.clock(), runner.name()).attemptedRuns(),
                lease,
                ports.wakeups()),
            runner.share(),
            machine,
            timing,
            new AttemptClaim(of, attemptId, runner.name()),
            runner.clock().instant());
  }

  String attemptId() {
    return attemptId;
  }

  /// What it was received with.
  Ticket ticket() {
    return ticket;
  }

  void drain() {
    loop.drain();
    next = system.now();
    notBefore = next;
  }

  /// The machine is gone, or the runner alone.
  void vanish() {
    caller.hit(Fault.CRASH, system.now(), system.now());
    caller.vanish();
    machine.agent().filter(agent -> !agent.gone()).ifPresent(this::leave);
  }

  private void leave(ScriptedAgent agent) {
    if (system.faults().strikes(Fault.ORPHAN, ORPHAN)) {
      system.orphans().left(attemptId, agent);
    } else {
      agent.vanish();
    }
  }

  @Override
  public SimulatedCaller caller() {
    return caller;
  }

  @Override
  public Instant nextAt() {
    Instant told = machine.agent().map(ScriptedAgent::nextAt).orElse(Instant.MAX);
    Instant due = told.isBefore(next) ? told : next;
    Instant from = notBefore.isBefore(runner.awakeAt()) ? runner.awakeAt() : notBefore;
    return due.isBefore(from) ? from : due;
  }

  @Override
  public void act() {
    if (system.has(Defect.CUT_OFF_BY_QUEUE) && leaseMissed()) {
      machine.agent().ifPresent(ScriptedAgent::vanish);
      next = Instant.MAX;
      runner.over(this);
      return;
    }
    if (system.faults().strikes(Fault.DRAIN, DRAIN)) {
      runner.drain();
    }
    Instant now =
        system.has(Defect.READ_TAKEN_FOR_WRITE) && readsOnly()
            ? stepped.minusMillis(1)
            : runner.clock().instant();
    stepped = now;
    switch (loop.step(now)) {
      case Step.Again again -> next = after(now, again.notAfter());
      case Step.Pause pause -> {
        next = after(now, pause.until());
        notBefore = next;
      }
      case Step.Over over -> {
        next = Instant.MAX;
        machine.tidy(over.verdict() == Step.Verdict.ENDED);
        runner.over(this);
      }
    }
    caller.lost().forEach(system.orphans()::mustEnd);
  }

  @Override
  public String toString() {
    return "attempt %s, next %s, its agent's %s"
        .formatted(attemptId, next, machine.agent().map(ScriptedAgent::nextAt));
  }

  /// True if the queue did not answer for as long as an attempt does without the log.
  private boolean leaseMissed() {
    return system.faults().missing().isEmpty()
        && lease.refusedFor().toSeconds() >= Limits.CUT_OFF_SECONDS;
  }

  /// True if the log answers, to which nothing was written for long. A clock that is set back has
  /// the attempt begin anew to count for how long it reached nothing.
  private boolean readsOnly() {
    try {
      return system.now().isAfter(system.log().changedAt(run).plus(SILENCE))
          && log.chunkAt(run, 1).isPresent();
    } catch (PortUnavailable _) {
      return false;
    }
  }

  /// A time of the runner's clock in that of the world.
  private Instant after(Instant now, Instant until) {
    return system.now().plus(Duration.between(now, until));
  }

  @Override
  public void crashed() {
    if (!caller.gone()) {
      runner.crashed();
    }
  }
}
