package dev.runyard.core.attempt;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.interaction.AgentInput;
import dev.runyard.core.limits.Bounds;
import dev.runyard.core.run.RunState;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Hands an agent what the log holds for it: each input once to an attempt, in the order of the
/// log. What it takes becomes a `process.input` before anything it tells afterwards, so a lost fact
/// and what followed from it are lost together, and the next attempt is handed the input again.
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
