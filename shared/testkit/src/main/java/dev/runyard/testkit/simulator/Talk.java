package dev.runyard.testkit.simulator;

import dev.runyard.core.action.ResolveAction;
import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.inbox.SendMessage;
import dev.runyard.core.interaction.Action;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.run.RunState;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/// What a client says to its runs: decisions, some of them too late or unfit, and messages, some of
/// them sent again. It remembers what was accepted.
final class Talk {
  private static final int MESSAGES_MAX = 6;

  private final ResolveAction resolve;
  private final SendMessage send;
  private final RunLog reads;
  private final Random random;
  private final Promises promises;

  Talk(ResolveAction resolve, SendMessage send, RunLog reads, Promises promises, Random random) {
    this.promises = promises;
    this.resolve = resolve;
    this.send = send;
    this.reads = reads;
    this.random = random;
  }

  void decide(RunKey run) {
    if (!(reads.load(run) instanceof RunState.Existing state)) {
      return;
    }
    List<Action> actions = state.facts().interactions().actions();
    if (actions.isEmpty()) {
      return;
    }
    Action action = actions.get(random.nextInt(actions.size()));
    ActionDecision decision = decision();
    switch (resolve.resolve(run, action.actionId(), decision, null, "client")) {
      case ResolveAction.Result.Rejected _ -> {}
      case ResolveAction.Result.Decided _ -> {
        ActionDecision before = promises.decisions.putIfAbsent(action.actionId(), decision);
        if (before != null) {
          promises.violations.add(
              new Violation("A1", "%s was decided twice".formatted(action.actionId())));
        }
      }
    }
  }

  private ActionDecision decision() {
    return switch (random.nextInt(3)) {
      case 0 -> ActionDecision.APPROVE;
      case 1 -> ActionDecision.ANSWER;
      default -> ActionDecision.DENY;
    };
  }

  void send(RunKey run) {
    String key = run.runId() + "/" + random.nextInt(MESSAGES_MAX);
    switch (send.send(run, "content of " + key, Optional.of(key))) {
      case SendMessage.Result.Rejected _ -> {}
      case SendMessage.Result.Accepted accepted -> {
        long sequence = accepted.message().sequence();
        Long before = promises.messages.putIfAbsent(key, sequence);
        if (before != null && before != sequence) {
          promises.violations.add(new Violation("A2", key + " was accepted twice"));
        }
      }
    }
  }
}
