package dev.runyard.testkit.simulator;

import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.event.ActionType;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.run.Attempt;
import java.time.Duration;
import java.util.List;

/// A short story that is known in advance: what clients do and when, and what the agents do.
public enum Scenario {
  COMPLETES {
    @Override
    List<Step> steps() {
      return List.of(new Step.Submit(0, "a", "", RetryPolicy.NEVER));
    }
  },
  CANCELLED {
    @Override
    List<Step> steps() {
      return List.of(new Step.Submit(0, "a", "", RetryPolicy.NEVER), new Step.Cancel(1, "a"));
    }

    @Override
    AgentScript script(Attempt attempt) {
      return new AgentScript(List.of(new AgentScript.Act.Tell(0), new AgentScript.Act.Pop()));
    }
  },
  RETRIED {
    @Override
    List<Step> steps() {
      return List.of(new Step.Submit(0, "a", "", new RetryPolicy(5, List.of("*"), 1)));
    }

    @Override
    AgentScript script(Attempt attempt) {
      return new AgentScript(
          List.of(new AgentScript.Act.Tell(0), new AgentScript.Act.End(attempt.number() == 1)));
    }
  },
  AWAITS {
    @Override
    List<Step> steps() {
      return List.of(
          new Step.Submit(0, "a", "", RetryPolicy.NEVER),
          new Step.Decide(3, "a", ActionDecision.APPROVE));
    }

    @Override
    AgentScript script(Attempt attempt) {
      return asks();
    }
  },
  PAUSED {
    @Override
    List<Step> steps() {
      return List.of(
          new Step.Submit(0, "a", "", RetryPolicy.NEVER),
          new Step.Decide(30, "a", ActionDecision.APPROVE));
    }

    @Override
    AgentScript script(Attempt attempt) {
      return asks();
    }
  },
  SAID {
    @Override
    List<Step> steps() {
      return List.of(new Step.Submit(0, "a", "", RetryPolicy.NEVER), new Step.Say(2, "a", "hello"));
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
    List<Step> steps() {
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
    List<Step> steps() {
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
  TOLD {
    @Override
    List<Step> steps() {
      return List.of(new Step.Submit(0, "a", "", RetryPolicy.NEVER));
    }

    @Override
    Setting setting() {
      return Setting.INTEGRATED;
    }
  },
  TURNS {
    @Override
    List<Step> steps() {
      return List.of(
          new Step.Submit(0, "a", "session", RetryPolicy.NEVER),
          new Step.Submit(0, "b", "session", RetryPolicy.NEVER));
    }
  },
  EXPIRED_BEFORE_A_TURN {
    @Override
    List<Step> steps() {
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
    List<Step> steps() {
      return List.of(
          new Step.Submit(0, "a", "session", RetryPolicy.NEVER),
          new Step.Submit(0, "b", "session", RetryPolicy.NEVER),
          new Step.Submit(0, "c", "session", RetryPolicy.NEVER),
          new Step.Promote(0, "c"));
    }
  };

  /// What a client does, until it is answered.
  sealed interface Step {
    /// Seconds after the beginning.
    int at();

    String request();

    record Submit(int at, String request, String session, RetryPolicy retry) implements Step {}

    record Cancel(int at, String request) implements Step {}

    record Decide(int at, String request, ActionDecision decision) implements Step {}

    record Promote(int at, String request) implements Step {}

    record Say(int at, String request, String content) implements Step {}
  }

  abstract List<Step> steps();

  /// What the agent of an attempt does that begins anew.
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
