package dev.runyard.demo;

import dev.runyard.agent.AgentContext;
import dev.runyard.agent.AgentDefinition;
import dev.runyard.agent.AgentRequest;
import dev.runyard.agent.Ask;
import dev.runyard.core.message.Message;
import java.util.List;

/// Asks for a message, then says that its own was empty.
public final class Awaiter implements AgentDefinition {
  @Override
  public String name() {
    return "awaiter";
  }

  @Override
  public String description() {
    return "Asks for a message, then says that its own was empty.";
  }

  @Override
  public List<Message> execute(AgentRequest request, AgentContext context)
      throws InterruptedException {
    context.ask(Ask.message(new Message("agent/awaiter", List.of(), null, null)));
    return List.of(Message.text("agent", "empty"));
  }
}
