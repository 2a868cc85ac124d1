package dev.runyard.demo;

import dev.runyard.agent.AgentContext;
import dev.runyard.agent.AgentDefinition;
import dev.runyard.agent.AgentFailure;
import dev.runyard.agent.AgentRequest;
import dev.runyard.core.message.Message;
import java.util.List;

/// Fails because of its input.
public final class Failer implements AgentDefinition {
  @Override
  public String name() {
    return "failer";
  }

  @Override
  public String description() {
    return "Fails because of its input.";
  }

  @Override
  public List<Message> execute(AgentRequest request, AgentContext context) throws AgentFailure {
    throw AgentFailure.invalidInput("Wrong question buddy!");
  }
}
