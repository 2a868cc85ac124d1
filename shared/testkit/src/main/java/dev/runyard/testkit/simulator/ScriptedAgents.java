package dev.runyard.testkit.simulator;

import dev.runyard.core.attempt.AgentHandle;
import dev.runyard.core.attempt.AgentLauncher;
import dev.runyard.core.attempt.AgentSignal;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.Usage;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.AgentInput;
import dev.runyard.core.run.Attempt;
import dev.runyard.core.run.RunFacts;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/// Agents that emit numbered output over time and then succeed, fail or hang, and what each of them
/// told its attempt.
final class ScriptedAgents implements AgentLauncher {
  private final Random random;
  private final InstantSource clock;
  private final Defect defect;
  private final Map<String, Agent> byAttempt = new HashMap<>();
  private final List<String> startedTwice = new ArrayList<>();

  ScriptedAgents(Random random, InstantSource clock, Defect defect) {
    this.random = random;
    this.clock = clock;
    this.defect = defect;
  }

  @Override
  public String program(RunFacts facts) {
    return facts.request().agent();
  }

  @Override
  public boolean interactive(RunFacts facts) {
    return true;
  }

  @Override
  public Agent launch(RunFacts facts, Attempt attempt) {
    Agent agent = new Agent(attempt.id());
    if (byAttempt.put(attempt.id(), agent) != null) {
      startedTwice.add(attempt.id());
    }
    return agent;
  }

  Map<String, Agent> byAttempt() {
    return byAttempt;
  }

  List<String> startedTwice() {
    return startedTwice;
  }

  /// One agent process.
  final class Agent implements AgentHandle {
    private final Deque<AgentSignal> script = new ArrayDeque<>();
    private final List<RunEvent> told = new ArrayList<>();
    private final boolean hangs;
    private Instant next = clock.instant();
    private boolean ended;
    private boolean killed;

    Agent(String attemptId) {
      int outputs = random.nextInt(12);
      for (int i = 0; i < outputs; i++) {
        script.add(new AgentSignal.Output(output(attemptId, i)));
      }
      hangs = random.nextInt(10) == 0;
      boolean fails = random.nextInt(4) == 0;
      AgentSignal end =
          new AgentSignal.Ended(
              Optional.of(new Attempt.Exit(fails ? 1 : 0, null)),
              100,
              fails ? Optional.of(Failure.backend("agent_failed", "It failed.")) : Optional.empty(),
              0);
      if (defect == Defect.OUTPUT_AFTER_EXIT && !script.isEmpty()) {
        AgentSignal late = script.removeLast();
        script.add(end);
        script.add(late);
      } else if (!hangs) {
        script.add(end);
      }
    }

    private RunEvent output(String attemptId, int i) {
      if (i % 5 == 3) {
        return new RunEvent.CostRecorded(new Usage(10, 0, i, 0, null), null);
      }
      return i % 5 == 4
          ? new RunEvent.ModelCompleted()
          : new RunEvent.ModelDelta(attemptId + "/" + i + " ");
    }

    @Override
    public List<AgentSignal> take(int max) {
      List<AgentSignal> taken = new ArrayList<>();
      while (!script.isEmpty() && taken.size() < max && !ended && !next.isAfter(clock.instant())) {
        AgentSignal signal = script.removeFirst();
        switch (signal) {
          case AgentSignal.Output output -> told.add(output.event());
          case AgentSignal.Asked _, AgentSignal.Took _ -> {}
          case AgentSignal.Ended _ -> {
            ended = true;
            script.forEach(late -> told.add(((AgentSignal.Output) late).event()));
          }
        }
        taken.add(signal);
        next = next.plus(Duration.ofMillis(random.nextInt(4) == 0 ? random.nextInt(4000) : 5));
      }
      return taken;
    }

    @Override
    public void deliver(AgentInput input) {
      script.addFirst(new AgentSignal.Took(input, Optional.empty()));
    }

    @Override
    public boolean canPause() {
      return true;
    }

    @Override
    public void stop() {
      if (!killed && !ended) {
        killed = true;
        script.clear();
        script.add(
            new AgentSignal.Ended(
                Optional.of(new Attempt.Exit(null, 15)),
                100,
                Optional.of(Failure.backend("killed", "It was ended.")),
                0));
        next = clock.instant().plusMillis(random.nextInt(2000));
      }
    }

    /// The machine is gone: nothing more is told.
    void vanish() {
      ended = true;
      script.clear();
    }

    boolean gone() {
      return ended;
    }

    /// Every output told to the attempt, in order.
    List<RunEvent> told() {
      return told;
    }
  }
}
