package dev.runyard.runner.backend;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.ids.TurnIds;
import dev.runyard.core.interaction.Interactions;
import dev.runyard.core.message.Message;
import java.util.List;
import java.util.Objects;

/// A run's session and its log so far.
///
/// @param turn where in its session it is
/// @param input the messages the prompt was made of; empty if it was sent as text
/// @param interactions what passed between the run and people before this attempt
/// @param continuation true when the attempt continues another
public record RunContext(
    RunKey run,
    TurnIds turn,
    List<Message> input,
    Interactions interactions,
    boolean continuation) {

  public RunContext {
    Objects.requireNonNull(run);
    Objects.requireNonNull(turn);
    Objects.requireNonNull(interactions);
    input = List.copyOf(input);
  }

  /// The context of a run that names no more than its session.
  public RunContext(
      RunKey run,
      String sessionId,
      List<Message> input,
      Interactions interactions,
      boolean continuation) {
    this(run, TurnIds.of(run, sessionId), input, interactions, continuation);
  }

  public String sessionId() {
    return turn.sessionId();
  }
}
