package dev.runyard.testkit.simulator;

import dev.runyard.core.attempt.AgentHandle;
import dev.runyard.core.attempt.AgentLauncher;
import dev.runyard.core.attempt.AgentStart;
import dev.runyard.core.attempt.AttemptLoop;
import dev.runyard.core.attempt.AttemptTiming;
import dev.runyard.core.attempt.Keeping;
import dev.runyard.core.attempt.Step;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.queue.Ticket;
import dev.runyard.core.run.Attempt;
import dev.runyard.core.run.Limits;
import dev.runyard.core.run.RunFacts;
import dev.runyard.core.run.RunKey;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/// A runner and the agents on its machine. A crash takes the machine: its attempts and agents are
/// gone, and another runner comes in its place. A pause stops the runner but not its agents.
final class RunnerActor implements Actor {
  private static final int RUNS_MAX = 2;
  private static final AttemptTiming TIMING =
      new AttemptTiming(
          Duration.ofMillis(100),
          Duration.ofMillis(100),
          Duration.ofSeconds(1),
          Duration.ofSeconds(Limits.LEASE_SECONDS),
          Duration.ofSeconds(8));

  private final String name;
  private final RunLog runs;
  private final RunQueue queue;
  private final ScriptedAgents agents;
  private final InstantSource clock;
  private final Ids ids;
  private final Random random;
  private final Map<AttemptLoop, Instant> loops = new HashMap<>();
  private final List<AttemptLoop> order = new ArrayList<>();
  private final List<ScriptedAgent> machine = new ArrayList<>();
  private final Map<Step.Verdict, Long> verdicts = new EnumMap<>(Step.Verdict.class);
  private Instant awakeAt;
  private int crashes;

  RunnerActor(
      String name,
      RunLog runs,
      RunQueue queue,
      ScriptedAgents agents,
      InstantSource clock,
      Ids ids,
      Random random) {
    this.name = name;
    this.runs = runs;
    this.queue = queue;
    this.agents = agents;
    this.clock = clock;
    this.ids = ids;
    this.random = random;
    this.awakeAt = clock.instant();
  }

  void pause(Duration duration) {
    awakeAt = clock.instant().plus(duration);
  }

  void wake() {
    awakeAt = clock.instant();
  }

  int crashes() {
    return crashes;
  }

  Map<Step.Verdict, Long> verdicts() {
    return verdicts;
  }

  @Override
  public Instant nextAt() {
    return awakeAt;
  }

  @Override
  public void act() {
    if (!order.isEmpty() && random.nextInt(5) > 0) {
      step(order.get(random.nextInt(order.size())));
    } else if (order.size() < RUNS_MAX) {
      receive();
    }
  }

  private void receive() {
    List<Ticket> tickets;
    try {
      tickets = queue.receive(1, 0);
    } catch (PortUnavailable _) {
      return;
    }
    for (Ticket ticket : tickets) {
      AttemptLoop loop =
          new AttemptLoop(
              runs, queue, new Machine(), TIMING, ticket, ids.token(), name, clock.instant());
      loops.put(loop, clock.instant());
      order.add(loop);
    }
  }

  private void step(AttemptLoop loop) {
    switch (loop.step(clock.instant())) {
      case Step.Again again -> loops.put(loop, again.notAfter());
      case Step.Pause pause -> loops.put(loop, pause.until());
      case Step.Over over -> {
        verdicts.merge(over.verdict(), 1L, Long::sum);
        loops.remove(loop);
        order.remove(loop);
      }
    }
  }

  @Override
  public void crashed() {
    crashes++;
    loops.clear();
    order.clear();
    machine.forEach(ScriptedAgent::vanish);
    machine.clear();
    pause(Duration.ofSeconds(random.nextInt(20)));
  }

  /// Starts agents on this machine. They remember nothing, and die with their runner.
  private final class Machine implements AgentLauncher {
    @Override
    public AgentStart prepare(RunFacts facts, Attempt attempt) {
      return new ReadyStart(
          facts.request().agent(), agents.interactive(facts), () -> started(facts, attempt));
    }

    private AgentHandle started(RunFacts facts, Attempt attempt) {
      ScriptedAgent agent = agents.launch(facts, attempt);
      machine.add(agent);
      return agent;
    }

    @Override
    public Optional<Keeping> keep() {
      return Optional.empty();
    }

    @Override
    public void endLost(RunKey run, String attemptId) {}
  }
}
