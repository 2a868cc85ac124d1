package dev.runyard.core.run;

import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.event.ActionType;
import dev.runyard.core.event.PermissionResolved;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.interaction.Action;
import dev.runyard.core.interaction.InboxMessage;
import dev.runyard.core.interaction.Interactions;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.run.Decision.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The rules of what people send to a run: decisions on its actions, and messages.
final class InteractionRules {
  private InteractionRules() {}

  /// The first decision counts, whatever happened to the run since.
  static Decision resolve(RunState.Existing state, RunCommand.Resolve command) {
    Optional<Action> found = state.facts().interactions().action(command.actionId());
    if (found.isEmpty()) {
      return Decision.refuse(Reason.NO_ACTION);
    }
    Action action = found.get();
    if (!action.pending() || state.closed()) {
      return Decision.refuse(Reason.DECIDED);
    }
    boolean over = !command.now().isBefore(action.expiresAt());
    if (over != (command.decision() == ActionDecision.TIMED_OUT)) {
      return Decision.refuse(over ? Reason.DECIDED : Reason.NOT_APPLICABLE);
    }
    if (!over && !action.actionType().takes(command.decision())) {
      return Decision.refuse(Reason.NOT_APPLICABLE);
    }
    if (command.decision() == ActionDecision.ANSWER && !action.offers(command.payload())) {
      return Decision.refuse(Reason.NOT_OFFERED);
    }
    if (cancelling(state)) {
      return Decision.refuse(Reason.CANCELLING);
    }
    return new Decision.Append(
        resolved(
            action,
            new RunEvent.ActionResolved(
                action.actionId(), command.decision(), command.payload(), command.by().actor())));
  }

  /// The end of an action, with the events that accompany it.
  static List<RunEvent> resolved(Action action, RunEvent.ActionResolved resolved) {
    return action.actionType() == ActionType.PERMISSION
        ? List.of(resolved, new PermissionResolved(action.actionId(), resolved.decision()))
        : List.of(resolved);
  }

  /// Ends every pending action of an attempt that ended, or of a run that ends.
  static List<RunEvent> resolveAll(RunFacts facts, ActionDecision decision) {
    List<RunEvent> events = new ArrayList<>();
    for (Action action : facts.interactions().pending()) {
      events.addAll(
          resolved(
              action, new RunEvent.ActionResolved(action.actionId(), decision, null, BY_RUNYARD)));
    }
    return events;
  }

  static final String BY_RUNYARD = "runyard";

  static Decision message(RunState.Existing state, RunCommand.Message command) {
    Interactions interactions = state.facts().interactions();
    Optional<InboxMessage> before = interactions.message(command.messageId());
    if (before.isPresent()) {
      return before.get().print().equals(InboxMessage.print(command.content()))
          ? Decision.stay()
          : Decision.refuse(Reason.MISMATCH);
    }
    if (state.closed()) {
      return Decision.refuse(Reason.CLOSED);
    }
    if (cancelling(state)) {
      return Decision.refuse(Reason.CANCELLING);
    }
    return interactions.inbox().size() >= Limits.MESSAGES_MAX
        ? Decision.refuse(Reason.FULL)
        : Decision.append(
            new RunEvent.ChannelMessage(command.messageId(), command.content(), command.from()));
  }

  private static boolean cancelling(RunState.Existing state) {
    return state instanceof RunState.Cancelling || state instanceof RunState.CancellingIdle;
  }
}
