package dev.runyard.system.agents;

import dev.runyard.agent.AgentContext;
import dev.runyard.agent.AgentDefinition;
import dev.runyard.agent.AgentRequest;
import dev.runyard.core.message.Message;
import java.util.List;

/// Takes as many messages as its prompt says, and repeats each one at once.
public final class Scribe implements AgentDefinition {
  @Override
  public String name() {
    return "scribe";
  }

  @Override
  public List<Message> execute(AgentRequest request, AgentContext context)
      throws InterruptedException {
    int count = Integer.parseInt(request.prompt());
    for (int i = 0; i < count; i++) {
      String content = context.inbox().pop().orElseThrow().content();
      context.say(Message.text("agent/scribe", content));
    }
    return List.of();
  }
}
