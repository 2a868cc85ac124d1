package dev.runyard.agent;

import dev.runyard.core.message.Message;
import java.util.List;

/// What an agent is asked to do.
///
/// @param prompt its text
/// @param messages the same as messages; a single one if the request was plain text
public record AgentRequest(String prompt, List<Message> messages) {
  public AgentRequest {
    messages = List.copyOf(messages);
  }

  public static AgentRequest of(String prompt) {
    return new AgentRequest(prompt, List.of(Message.text("user", prompt)));
  }
}
