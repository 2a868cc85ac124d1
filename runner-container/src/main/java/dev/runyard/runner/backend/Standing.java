package dev.runyard.runner.backend;

import dev.runyard.core.message.Message;
import dev.runyard.core.run.Journal;
import dev.runyard.core.run.RunKey;
import java.util.List;
import java.util.Objects;

/// Where a run stands in its session and its log.
///
/// @param input the messages the prompt was made of; empty where it came as text
/// @param journal what passed between the run and people before this attempt
/// @param continuation true when the attempt goes on where another one stood
public record Standing(
    RunKey run, String sessionId, List<Message> input, Journal journal, boolean continuation) {

  public Standing {
    Objects.requireNonNull(run);
    Objects.requireNonNull(sessionId);
    Objects.requireNonNull(journal);
    input = List.copyOf(input);
  }
}
