package dev.runyard.simulator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.runyard.core.action.ResolveAction;
import dev.runyard.core.application.UseCases;
import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.inbox.SendMessage;
import dev.runyard.core.interaction.Action;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.run.RunState;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/// What a client says to its runs: decisions, some of them too late or unfit, and messages, some of
/// them sent again. It remembers what was accepted.
final class Talk {
  private static final int MESSAGES_MAX = 6;

  private final ResolveAction resolve;
  private final SendMessage send;
  private final RunLog reads;
  private final Random random;
  private final Promises promises;
  private boolean large;

  private Talk(
      ResolveAction resolve, SendMessage send, RunLog reads, Promises promises, Random random) {
    this.promises = promises;
    this.resolve = resolve;
    this.send = send;
    this.reads = reads;
    this.random = random;
  }

  static Talk of(UseCases api, Promises promises, Random random) {
    return new Talk(
        api.resolveAction(), api.sendMessage(ScriptedAgents.CATALOG), api.runs(), promises, random);
  }

  /// It sends messages and answers of the largest size.
  void enlarge() {
    large = true;
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
    switch (resolve.resolve(
        run, action.actionId(), decision, payload(decision, action), ClientActor.BY.requester())) {
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

  /// The same content each time.
  private String content(String key) {
    String content = "content of " + key;
    return large ? Filler.of(content, Limits.MESSAGE_CONTENT_BYTES_MAX) : content;
  }

  private @Nullable JsonNode payload(ActionDecision decision, Action action) {
    return large && decision == ActionDecision.ANSWER
        ? TextNode.valueOf(Filler.of(action.actionId(), Limits.DECISION_BYTES_MAX / 6))
        : null;
  }

  private ActionDecision decision() {
    return switch (random.nextInt(3)) {
      case 0 -> ActionDecision.APPROVE;
      case 1 -> ActionDecision.ANSWER;
      default -> ActionDecision.DENY;
    };
  }

  void send(RunKey run) {
    say(run, run.runId() + "/" + random.nextInt(MESSAGES_MAX));
  }

  /// Says what the key stands for; true when the run accepts it.
  boolean say(RunKey run, String key) {
    return switch (send.send(run, content(key), Optional.of(key), ClientActor.BY.requester())) {
      case SendMessage.Result.Rejected _ -> false;
      case SendMessage.Result.Accepted accepted -> {
        long sequence = accepted.message().sequence();
        Long before = promises.messages.putIfAbsent(key, sequence);
        if (before != null && before != sequence) {
          promises.violations.add(new Violation("A2", key + " was accepted twice"));
        }
        yield true;
      }
    };
  }
}
