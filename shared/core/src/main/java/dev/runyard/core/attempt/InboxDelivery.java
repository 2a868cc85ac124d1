package dev.runyard.core.attempt;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.interaction.AgentInput;
import dev.runyard.core.limits.Bounds;
import dev.runyard.core.run.RunState;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Hands an agent its inputs from the log: each input once per attempt, in the order of the log.
/// What it takes is written as `process.input` before any output that follows, so if that event is
/// lost, everything that followed is lost too, and the next attempt gets the input again.
final class InboxDelivery {
  private long seen;
  private long handed;

  void hand(RunState.Existing state, AgentHandle agent) {
    if (state.sequence() == seen) {
      return;
    }
    seen = state.sequence();
    for (AgentInput input : state.facts().interactions().undelivered()) {
      if (input.sequence() > handed) {
        handed = input.sequence();
        agent.deliver(input);
      }
    }
  }

  static RunEvent taken(AgentSignal.Took took, String processId) {
    return switch (took.input()) {
      case AgentInput.Said said ->
          new RunEvent.ProcessInput(
              processId, said.message().messageId(), null, reason(took.refused()));
      case AgentInput.Decided decided ->
          new RunEvent.ProcessInput(
              processId, null, decided.action().actionId(), reason(took.refused()));
    };
  }

  private static @Nullable String reason(Optional<String> refused) {
    return refused
        .map(text -> Bounds.truncate(Bounds.wellFormed(text), Bounds.MESSAGE_BYTES_MAX))
        .orElse(null);
  }
}
