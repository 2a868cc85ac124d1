package dev.runyard.runner.backend;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.interaction.Interactions;
import dev.runyard.core.message.Message;
import java.util.List;
import java.util.Objects;

/// A run's session and its log so far.
///
/// @param input the messages the prompt was made of; empty if it was sent as text
/// @param interactions what passed between the run and people before this attempt
/// @param continuation true when the attempt continues another
public record RunContext(
    RunKey run,
    String sessionId,
    List<Message> input,
    Interactions interactions,
    boolean continuation) {

  public RunContext {
    Objects.requireNonNull(run);
    Objects.requireNonNull(sessionId);
    Objects.requireNonNull(interactions);
    input = List.copyOf(input);
  }
}
