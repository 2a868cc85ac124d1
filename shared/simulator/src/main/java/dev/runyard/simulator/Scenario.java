package dev.runyard.simulator;

import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.event.ActionType;
import dev.runyard.core.fleet.FleetSize;
import dev.runyard.core.fleet.StartFailure;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.run.Attempt;
import dev.runyard.core.run.RunFacts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// A short story that is known in advance: what clients do and when, and what the agents do.
public enum Scenario {
  COMPLETES {
    @Override
    List<ClientStep> steps() {
      return List.of(new ClientStep.Submit(0, "a", "", RetryPolicy.NEVER));
    }
  },
  CANCELLED {
    @Override
    List<ClientStep> steps() {
      return List.of(
          new ClientStep.Submit(0, "a", "", RetryPolicy.NEVER), new ClientStep.Cancel(1, "a"));
    }

    @Override
    AgentScript script(Attempt attempt) {
      return new AgentScript(List.of(new AgentScript.Act.Tell(0), new AgentScript.Act.Pop()));
    }
  },
  RETRIED {
    @Override
    List<ClientStep> steps() {
      return List.of(new ClientStep.Submit(0, "a", "", new RetryPolicy(5, List.of("*"), 1)));
    }

    @Override
    AgentScript script(Attempt attempt) {
      return new AgentScript(
          List.of(new AgentScript.Act.Tell(0), new AgentScript.Act.End(attempt.number() == 1)));
    }
  },
  AWAITS {
    @Override
    List<ClientStep> steps() {
      return List.of(
          new ClientStep.Submit(0, "a", "", RetryPolicy.NEVER),
          new ClientStep.Decide(3, "a", ActionDecision.APPROVE));
    }

    @Override
    AgentScript script(Attempt attempt) {
      return asks();
    }
  },
  PAUSED {
    @Override
    List<ClientStep> steps() {
      return List.of(
          new ClientStep.Submit(0, "a", "", RetryPolicy.NEVER),
          new ClientStep.Decide(30, "a", ActionDecision.APPROVE));
    }

    @Override
    AgentScript script(Attempt attempt) {
      return asks();
    }
  },
  SAID {
    @Override
    List<ClientStep> steps() {
      return List.of(
          new ClientStep.Submit(0, "a", "", RetryPolicy.NEVER),
          new ClientStep.Say(2, "a", "hello"));
    }

    @Override
    AgentScript script(Attempt attempt) {
      return new AgentScript(
          List.of(
              new AgentScript.Act.Tell(0),
              new AgentScript.Act.Pop(),
              new AgentScript.Act.Tell(1),
              new AgentScript.Act.End(false)));
    }
  },
  RESUMED {
    @Override
    List<ClientStep> steps() {
      return PAUSED.steps();
    }

    @Override
    AgentScript script(Attempt attempt) {
      return asks();
    }

    @Override
    AgentMode mode() {
      return AgentMode.RESUMED;
    }
  },
  REMEMBERED {
    @Override
    List<ClientStep> steps() {
      return TURNS.steps();
    }

    @Override
    AgentScript script(Attempt attempt) {
      return new AgentScript(List.of(new AgentScript.Act.Spill(0), new AgentScript.Act.End(false)));
    }

    @Override
    AgentMode mode() {
      return AgentMode.RESUMED;
    }
  },
  /// Two agents wait until something was away for ten minutes; only one of them may be tried again.
  LASTS {
    @Override
    List<ClientStep> steps() {
      return List.of(
          new ClientStep.Submit(0, "a", "", RetryPolicy.NEVER),
          new ClientStep.Submit(0, "b", "", new RetryPolicy(5, List.of("*"), 1)),
          new ClientStep.Say(700, "a", "hello"),
          new ClientStep.Say(700, "b", "hello"));
    }

    @Override
    AgentScript script(Attempt attempt) {
      return SAID.script(attempt);
    }

    @Override
    AgentMode mode() {
      return AgentMode.RESUMED;
    }
  },
  TOLD {
    @Override
    List<ClientStep> steps() {
      return List.of(new ClientStep.Submit(0, "a", "", RetryPolicy.NEVER));
    }

    @Override
    Setting setting() {
      return Setting.INTEGRATED;
    }
  },
  TURNS {
    @Override
    List<ClientStep> steps() {
      return List.of(
          new ClientStep.Submit(0, "a", "session", RetryPolicy.NEVER),
          new ClientStep.Submit(0, "b", "session", RetryPolicy.NEVER));
    }
  },
  EXPIRED_BEFORE_A_TURN {
    @Override
    List<ClientStep> steps() {
      return TURNS.steps();
    }

    @Override
    AgentScript script(Attempt attempt) {
      return new AgentScript(
          List.of(
              new AgentScript.Act.Tell(0),
              new AgentScript.Act.Ask(ActionType.QUESTION, 130),
              new AgentScript.Act.End(false)));
    }

    // Until `sweep` has ended the first, which the second has asked for twice by then.
    @Override
    Duration faulty() {
      return Duration.ofSeconds(185);
    }
  },
  PROMOTED {
    @Override
    List<ClientStep> steps() {
      return List.of(
          new ClientStep.Submit(0, "a", "session", RetryPolicy.NEVER),
          new ClientStep.Submit(0, "b", "session", RetryPolicy.NEVER),
          new ClientStep.Submit(0, "c", "session", RetryPolicy.NEVER),
          new ClientStep.Promote(0, "c"));
    }
  },
  /// Three runs need runners, of which there may be two, and another one needs one when these have
  /// left.
  STARTED {
    @Override
    List<ClientStep> steps() {
      return List.of(
          new ClientStep.Submit(0, "a", "", RetryPolicy.NEVER),
          new ClientStep.Submit(4, "b", "", RetryPolicy.NEVER),
          new ClientStep.Submit(8, "c", "", RetryPolicy.NEVER),
          new ClientStep.Submit(160, "d", "", RetryPolicy.NEVER));
    }

    @Override
    Setting setting() {
      return Setting.of(new FleetSize(0, 2, 1));
    }

    @Override
    Duration faulty() {
      return Duration.ofSeconds(210);
    }
  },
  /// The only runner there may be is started and does not come up.
  NEVER_STARTED {
    @Override
    List<ClientStep> steps() {
      return COMPLETES.steps();
    }

    @Override
    Setting setting() {
      return Setting.of(new FleetSize(0, 1, 1));
    }

    @Override
    void begin(SimulatedSystem system) {
      system.runners().fails(StartFailure.Cause.NOT_READY, Duration.ofSeconds(30));
    }

    @Override
    Duration faulty() {
      return Duration.ofMinutes(7);
    }
  },
  /// Two runs wait for the only place of their tenant, which one has until `sweep` has seen that.
  HELD {
    @Override
    List<ClientStep> steps() {
      return List.of(
          new ClientStep.Submit(0, "a", "", RetryPolicy.NEVER),
          new ClientStep.Submit(1, "b", "", RetryPolicy.NEVER),
          new ClientStep.Submit(1, "c", "", RetryPolicy.NEVER),
          new ClientStep.Say(62, "a", "hello"));
    }

    @Override
    AgentScript script(RunFacts run, Attempt attempt) {
      return run.request().prompt().equals("a") ? SAID.script(attempt) : COMPLETES.script(attempt);
    }

    @Override
    Duration faulty() {
      return Duration.ofSeconds(80);
    }

    @Override
    Setting setting() {
      return Setting.limited(false, 1, Integer.MAX_VALUE);
    }
  },
  /// Whoever submits the only run that its tenant may have open does not ask again what became of
  /// it.
  GIVEN_UP {
    @Override
    List<ClientStep> steps() {
      return List.of(
          new ClientStep.Try(0, "a"), new ClientStep.Submit(20, "b", "", RetryPolicy.NEVER));
    }

    @Override
    Setting setting() {
      return Setting.limited(false, Integer.MAX_VALUE, 1);
    }
  },
  /// The run of a task gives the only place of its tenant up to another run, and goes on when that
  /// has ended.
  PUT_ASIDE {
    @Override
    List<ClientStep> steps() {
      return List.of(
          new ClientStep.Create(0, "a"),
          new ClientStep.Start(0, "a"),
          new ClientStep.Submit(1, "b", "", RetryPolicy.NEVER),
          new ClientStep.Pause(4, "a"),
          new ClientStep.Ended(6, "b"),
          new ClientStep.Resume(6, "a"),
          new ClientStep.Say(7, "a", "hello"));
    }

    @Override
    AgentScript script(RunFacts run, Attempt attempt) {
      return run.request().task() == null ? COMPLETES.script(attempt) : SAID.script(attempt);
    }

    @Override
    Setting setting() {
      return Setting.limited(true, 1, 4);
    }

    @Override
    AgentMode mode() {
      return AgentMode.RESUMED;
    }
  },
  /// Another system delivers to a hook, one thing twice and by two names, and more than its tenant
  /// may have open.
  DELIVERED {
    @Override
    List<ClientStep> steps() {
      return List.of(
          new ClientStep.Deliver(0, 0, false),
          new ClientStep.Deliver(0, 1, false),
          new ClientStep.Deliver(1, 2, false),
          new ClientStep.Deliver(1, 0, false),
          new ClientStep.Deliver(1, 0, true));
    }

    @Override
    Setting setting() {
      return Setting.limited(false, Integer.MAX_VALUE, HookTraffic.OPEN_RUNS_MAX);
    }

    // So that there are two when the third is delivered.
    @Override
    AgentScript script(Attempt attempt) {
      List<AgentScript.Act> acts = new ArrayList<>();
      for (int i = 0; i < 14; i++) {
        acts.add(new AgentScript.Act.Tell(i));
      }
      acts.add(new AgentScript.Act.End(false));
      return new AgentScript(acts);
    }
  };

  abstract List<ClientStep> steps();

  /// How many things another system delivers.
  int deliveries() {
    return (int)
        steps().stream()
            .filter(ClientStep.Deliver.class::isInstance)
            .map(ClientStep::request)
            .distinct()
            .count();
  }

  /// Has happen what is no client's step.
  ///
  /// @param system before anybody acts
  void begin(SimulatedSystem system) {}

  /// What the agent of an attempt does that begins anew.
  AgentScript script(RunFacts run, Attempt attempt) {
    return script(attempt);
  }

  /// The same where all runs do the same.
  AgentScript script(Attempt attempt) {
    return new AgentScript(
        List.of(
            new AgentScript.Act.Tell(0),
            new AgentScript.Act.Tell(1),
            new AgentScript.Act.End(false)));
  }

  /// How long something may go wrong: for what is told and asked in most.
  Duration faulty() {
    return Duration.ofSeconds(65);
  }

  /// What is special about it.
  Setting setting() {
    return Setting.PLAIN;
  }

  /// How its agents go on.
  AgentMode mode() {
    return AgentMode.REPLAYED;
  }

  private static AgentScript asks() {
    return new AgentScript(
        List.of(
            new AgentScript.Act.Tell(0),
            new AgentScript.Act.Ask(ActionType.PERMISSION, 120),
            new AgentScript.Act.Tell(1),
            new AgentScript.Act.End(false)));
  }
}
