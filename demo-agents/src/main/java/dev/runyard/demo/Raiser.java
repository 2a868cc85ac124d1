package dev.runyard.demo;

import dev.runyard.agent.AgentContext;
import dev.runyard.agent.AgentDefinition;
import dev.runyard.agent.AgentFailure;
import dev.runyard.agent.AgentRequest;
import dev.runyard.core.message.Message;
import java.util.List;

/// Fails because of its input, deep inside.
public final class Raiser implements AgentDefinition {
  @Override
  public String name() {
    return "raiser";
  }

  @Override
  public String description() {
    return "Fails because of its input, deep inside.";
  }

  @Override
  public List<Message> execute(AgentRequest request, AgentContext context) throws AgentFailure {
    return refused(request.prompt());
  }

  private static List<Message> refused(String prompt) throws AgentFailure {
    throw AgentFailure.invalidInput(prompt.isEmpty() ? "No question." : "Wrong question buddy!");
  }
}
