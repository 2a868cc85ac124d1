package dev.runyard.runner.backend;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.interaction.Interactions;
import dev.runyard.core.message.Message;
import java.util.List;
import java.util.Objects;

/// Where a run stands in its session and its log.
///
/// @param input the messages the prompt was made of; empty where it came as text
/// @param interactions what passed between the run and people before this attempt
/// @param continuation true when the attempt goes on where another one stood
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
