package dev.runyard.system.agents;

import dev.runyard.agent.AgentContext;
import dev.runyard.agent.AgentDefinition;
import dev.runyard.agent.AgentRequest;
import dev.runyard.agent.Ask;
import dev.runyard.core.message.Message;
import java.util.List;

/// Asks, and waits only for a second.
public final class Impatient implements AgentDefinition {
  @Override
  public String name() {
    return "impatient";
  }

  @Override
  public List<Message> execute(AgentRequest request, AgentContext context)
      throws InterruptedException {
    context.ask(Ask.question("Well?").within(1));
    return List.of(Message.text("agent", "answered"));
  }
}
