package dev.runyard.testkit.simulator;

import dev.runyard.core.attempt.AgentHandle;
import dev.runyard.core.attempt.AgentLauncher;
import dev.runyard.core.attempt.AgentStart;
import dev.runyard.core.attempt.AttemptClaim;
import dev.runyard.core.attempt.AttemptLoop;
import dev.runyard.core.attempt.AttemptTiming;
import dev.runyard.core.attempt.Keeping;
import dev.runyard.core.attempt.Step;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.queue.Ticket;
import dev.runyard.core.run.Attempt;
import dev.runyard.core.run.RunFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/// One attempt at a runner, on a thread of its own there, and the agent it starts.
final class AttemptActor implements Actor {
  private static final int START_SECONDS_MAX = 100;
  private static final double DRAIN = 0.003;
  private static final double SLOW_START = 0.3;

  private final RunnerActor runner;
  private final SimulatedSystem system;
  private final Random random;
  private final String attemptId;
  private final SimulatedCaller caller = new SimulatedCaller(0);
  private final AttemptLoop loop;
  private @Nullable ScriptedAgent agent;
  private Instant next;
  private Instant notBefore;

  AttemptActor(
      RunnerActor runner, SimulatedSystem system, Random random, AttemptTiming timing, Ticket of) {
    this.runner = runner;
    this.system = system;
    this.random = random;
    this.attemptId = system.ids().token();
    this.next = system.now();
    this.notBefore = system.now();
    FaultyPorts ports = system.ports(caller);
    this.loop =
        new AttemptLoop(
            system.useCases(ports, runner.clock(), runner.name()).attemptedRuns(),
            system.lease(ports),
            new Machine(),
            timing,
            new AttemptClaim(of, attemptId, runner.name()),
            runner.clock().instant());
  }

  String attemptId() {
    return attemptId;
  }

  void drain() {
    loop.drain();
    next = system.now();
    notBefore = next;
  }

  /// The machine is gone.
  void vanish() {
    caller.hit(Fault.CRASH, system.now(), system.now());
    caller.vanish();
    if (agent != null) {
      agent.vanish();
    }
  }

  @Override
  public SimulatedCaller caller() {
    return caller;
  }

  @Override
  public Instant nextAt() {
    Instant told = agent == null ? Instant.MAX : agent.nextAt();
    Instant due = told.isBefore(next) ? told : next;
    Instant from = notBefore.isBefore(runner.awakeAt()) ? runner.awakeAt() : notBefore;
    return due.isBefore(from) ? from : due;
  }

  @Override
  public void act() {
    if (system.faults().strikes(Fault.DRAIN, DRAIN)) {
      runner.drain();
    }
    Instant now = runner.clock().instant();
    switch (loop.step(now)) {
      case Step.Again again -> next = after(now, again.notAfter());
      case Step.Pause pause -> {
        next = after(now, pause.until());
        notBefore = next;
      }
      case Step.Over _ -> {
        next = Instant.MAX;
        runner.over(this);
      }
    }
  }

  @Override
  public String toString() {
    return "attempt %s, next %s, its agent's %s"
        .formatted(attemptId, next, agent == null ? "none" : agent.nextAt());
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

  /// Starts agents on the runner's machine. They remember nothing, and die with their runner.
  private final class Machine implements AgentLauncher {
    @Override
    public AgentStart prepare(RunFacts facts, Attempt attempt) {
      return new Start(facts, attempt);
    }

    @Override
    public Optional<Keeping> keep() {
      return Optional.empty();
    }

    @Override
    public void endLost(RunKey run, String lost) {}
  }

  /// An agent whose things may be long in coming, and whose taking of them may be.
  private final class Start implements AgentStart {
    private final RunFacts facts;
    private final Attempt attempt;
    private final Awaited ready = awaited();

    private Start(RunFacts facts, Attempt attempt) {
      this.facts = facts;
      this.attempt = attempt;
    }

    private Awaited awaited() {
      boolean slow = system.faults().strikes(Fault.SLOW_START, SLOW_START);
      Duration takes = slow ? Duration.ofSeconds(random.nextInt(START_SECONDS_MAX)) : Duration.ZERO;
      if (system.has(Defect.START_BLOCKS_ATTEMPT)) {
        system.elapse(takes);
        return new Awaited(system.clock(), system.now());
      }
      return new Awaited(system.clock(), system.now().plus(takes));
    }

    @Override
    public String program() {
      return facts.request().agent();
    }

    @Override
    public boolean interactive() {
      return system.agents().interactive(facts);
    }

    @Override
    public Future<?> ready() {
      return ready;
    }

    @Override
    public Future<?> take() {
      return awaited();
    }

    @Override
    public Future<?> giveBack() {
      return awaited();
    }

    @Override
    public AgentHandle launch() {
      ScriptedAgent started = system.agents().launch(facts, attempt);
      agent = started;
      system.oracle().started(attempt.id(), system.now());
      return started;
    }
  }
}
