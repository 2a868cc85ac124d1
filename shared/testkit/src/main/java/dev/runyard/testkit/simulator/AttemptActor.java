package dev.runyard.testkit.simulator;

import dev.runyard.core.attempt.AgentHandle;
import dev.runyard.core.attempt.AgentLauncher;
import dev.runyard.core.attempt.AttemptLoop;
import dev.runyard.core.attempt.AttemptTiming;
import dev.runyard.core.attempt.Step;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.queue.Ticket;
import dev.runyard.core.run.Attempt;
import dev.runyard.core.run.RunFacts;
import dev.runyard.core.run.RunKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// One attempt at a runner, on a thread of its own there, and the agent it starts.
final class AttemptActor implements Actor {
  private static final int START_SECONDS_MAX = 100;
  private static final double DRAIN = 0.003;

  private final RunnerActor runner;
  private final SimulatedSystem system;
  private final Random random;
  private final String attemptId;
  private final Caller caller = new Caller(0);
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
            ports.queue(),
            new Machine(),
            timing,
            of,
            attemptId,
            runner.name(),
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
  public Caller caller() {
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

  /// Starts agents on the runner's machine.
  private final class Machine implements AgentLauncher {
    @Override
    public String prepare(RunFacts facts, Attempt attempt) {
      return system.agents().prepare(facts, attempt);
    }

    @Override
    public boolean interactive(RunFacts facts) {
      return system.agents().interactive(facts);
    }

    @Override
    public AgentHandle launch(RunFacts facts, Attempt attempt) {
      if (system.faults().strikes(Fault.SLOW_START, 0.3)) {
        Instant began = system.now();
        system.elapse(Duration.ofSeconds(random.nextInt(START_SECONDS_MAX)));
        caller.hit(Fault.SLOW_START, began, system.now());
        if (caller.gone()) {
          throw new Crash();
        }
      }
      ScriptedAgent started = system.agents().launch(facts, attempt);
      agent = started;
      system.oracle().started(facts.run(), attempt.id(), system.now());
      return started;
    }

    @Override
    public Optional<RunEvent> keep(BooleanSupplier ours) {
      return system.agents().keep(ours);
    }

    @Override
    public void endLost(RunKey run, String lost) {
      system.agents().endLost(run, lost);
    }
  }
}
