package dev.runyard.agent.channel;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.interaction.AgentInput;
import dev.runyard.core.interaction.Interactions;
import dev.runyard.core.message.Message;
import java.util.List;

/// What a runner writes to the process of an agent.
public sealed interface ToAgent {
  /// What to execute; the first message, and the only one of its kind.
  ///
  /// @param agent its name
  /// @param type its class
  /// @param input the messages the prompt was made of; empty if it was sent as text
  /// @param interactions what passed between the run and people before this attempt
  record Start(
      String agent,
      String type,
      RunKey run,
      String attemptId,
      String sessionId,
      String prompt,
      List<Message> input,
      Interactions interactions)
      implements ToAgent {
    public Start {
      input = List.copyOf(input);
    }
  }

  /// A message or a decision. The agent answers [FromAgent.Took] when it takes it.
  record Input(AgentInput input) implements ToAgent {}

  /// The answer to [FromAgent.HistoryWanted]: the session's messages, oldest first.
  record History(List<Message> messages) implements ToAgent {
    public History {
      messages = List.copyOf(messages);
    }
  }

  /// The answer to [FromAgent.HistoryWanted] if the messages cannot be read now.
  record NoHistory() implements ToAgent {}

  /// The run ends: the agent is interrupted, and nothing it emits from now on is reported.
  record Stop() implements ToAgent {}
}
