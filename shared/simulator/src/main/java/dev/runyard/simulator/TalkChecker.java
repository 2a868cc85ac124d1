package dev.runyard.simulator;

import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.interaction.Action;
import dev.runyard.core.interaction.InboxMessage;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.Attempt;
import dev.runyard.core.run.RunFold;
import dev.runyard.core.run.RunState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/// Checks what people were promised: A1 the first decision on an action is the only one, A2 each
/// accepted message is given to the agent once and in order or named as undelivered at the end, A3
/// a run is not lost while it waits for a person.
final class TalkChecker {
  private final Promises promises;
  private final ScriptedAgents agents;
  private final List<Violation> violations = new ArrayList<>();

  TalkChecker(Promises promises, ScriptedAgents agents) {
    this.promises = promises;
    this.agents = agents;
  }

  List<Violation> check(RunKey run, List<StoredEvent> events, RunState.Existing end) {
    violations.clear();
    decisions(run, events, end);
    messages(run, events, end);
    losses(run, events);
    outputs(run, events);
    return List.copyOf(violations);
  }

  private void decisions(RunKey run, List<StoredEvent> events, RunState.Existing end) {
    Map<String, ActionDecision> first = new HashMap<>();
    for (StoredEvent stored : events) {
      if (stored.event() instanceof RunEvent.ActionResolved resolved
          && first.put(resolved.actionId(), resolved.decision()) != null) {
        violate("A1", run, resolved.actionId() + " is resolved twice");
      }
    }
    for (Action action : end.facts().interactions().actions()) {
      ActionDecision promised = promises.decisions.get(action.actionId());
      if (promised != null && promised != first.get(action.actionId())) {
        violate("A1", run, "%s was promised %s".formatted(action.actionId(), promised));
      }
      if (end.closed() && action.pending()) {
        violate("A1", run, action.actionId() + " is pending for ever");
      }
    }
  }

  private void messages(RunKey run, List<StoredEvent> events, RunState.Existing end) {
    List<String> accepted =
        end.facts().interactions().inbox().stream().map(InboxMessage::messageId).toList();
    List<String> taken = new ArrayList<>();
    List<String> named = new ArrayList<>();
    for (StoredEvent stored : events) {
      if (stored.event() instanceof RunEvent.ProcessInput input && input.messageId() != null) {
        taken.add(input.messageId());
      } else if (stored.event() instanceof RunEvent.ChannelDisconnected left) {
        named.addAll(left.undelivered());
      }
    }
    if (!startsWith(accepted, taken)) {
      violate("A2", run, "accepted %s, taken %s".formatted(accepted, taken));
    }
    List<String> all = new ArrayList<>(taken);
    all.addAll(named);
    if (end.closed() && !all.equals(accepted)) {
      violate("A2", run, "accepted %s, taken or named %s".formatted(accepted, all));
    }
    for (ScriptedAgent agent : agents.byAttempt().values()) {
      if (agent.run().equals(run) && !startsWith(accepted, agent.heard())) {
        violate("A2", run, "accepted %s, heard %s".formatted(accepted, agent.heard()));
      }
    }
    Set<Long> sequences = new HashSet<>();
    end.facts().interactions().inbox().forEach(message -> sequences.add(message.sequence()));
    promises.messages.forEach(
        (key, sequence) -> {
          if (key.startsWith(run.runId()) && !sequences.contains(sequence)) {
            violate("A2", run, key + " was promised and is not there");
          }
        });
  }

  private static boolean startsWith(List<String> all, List<String> beginning) {
    return beginning.size() <= all.size() && all.subList(0, beginning.size()).equals(beginning);
  }

  private void losses(RunKey run, List<StoredEvent> events) {
    RunState state = RunState.absent();
    for (StoredEvent stored : events) {
      if (stored.event() instanceof RunEvent.AttemptFailed failed
          && Objects.equals(failed.error().code(), Failure.RUNNER_LOST)
          && !agents.refused().containsKey(failed.attemptId())
          && waits(state)) {
        violate("A3", run, "was lost while it waited");
      }
      state = RunFold.evolve(state, stored);
    }
  }

  private void outputs(RunKey run, List<StoredEvent> events) {
    List<Integer> said = new ArrayList<>();
    for (StoredEvent stored : events) {
      switch (stored.event()) {
        case RunEvent.AttemptStarted started when !started.continuation() -> said.clear();
        case RunEvent.ModelDelta delta -> {
          int index =
              Integer.parseInt(
                  delta.text().substring(delta.text().indexOf('/') + 1, delta.text().indexOf(' ')));
          if (!said.isEmpty() && index <= said.getLast()) {
            violate("A4", run, "said %s after %s".formatted(index, said));
          }
          said.add(index);
        }
        case RunEvent.AttemptCompleted completed -> {
          ScriptedAgent agent = agents.byAttempt().get(completed.attemptId());
          if (agent != null && !agent.texts().equals(said)) {
            violate("A4", run, "said %s, not %s".formatted(said, agent.texts()));
          }
        }
        case RunEvent.StateChange _,
            RunEvent.Output _,
            RunEvent.Interaction _,
            RunEvent.Notice _ -> {}
      }
    }
  }

  private static boolean waits(RunState state) {
    return switch (state) {
      case RunState.InProgress run -> waits(run, run.attempt());
      case RunState.Absent _,
          RunState.Created _,
          RunState.Retrying _,
          RunState.Paused _,
          RunState.CancellingIdle _,
          RunState.Cancelling _,
          RunState.Closed _ ->
          false;
    };
  }

  private static boolean waits(RunState.Existing run, Attempt attempt) {
    boolean begun =
        attempt.stage() == Attempt.Stage.RUNNING
            || (attempt.stage() == Attempt.Stage.CLAIMED && attempt.continuation());
    return begun && run.facts().interactions().holds();
  }

  private void violate(String invariant, RunKey run, String detail) {
    violations.add(new Violation(invariant, run + ": " + detail));
  }
}
