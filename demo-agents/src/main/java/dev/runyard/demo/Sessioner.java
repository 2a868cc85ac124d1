package dev.runyard.demo;

import dev.runyard.agent.AgentContext;
import dev.runyard.agent.AgentDefinition;
import dev.runyard.agent.AgentRequest;
import dev.runyard.core.message.Message;
import java.util.List;

/// Says which session it is in.
public final class Sessioner implements AgentDefinition {
  @Override
  public String name() {
    return "sessioner";
  }

  @Override
  public String description() {
    return "Says which session it is in.";
  }

  @Override
  public List<Message> execute(AgentRequest request, AgentContext context) {
    return List.of(Message.text("agent", context.sessionId()));
  }
}
