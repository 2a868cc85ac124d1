package dev.runyard.demo;

import dev.runyard.agent.AgentContext;
import dev.runyard.agent.AgentDefinition;
import dev.runyard.agent.AgentRequest;
import dev.runyard.core.message.Message;
import java.time.Duration;
import java.util.List;

/// Returns each message, a second apart.
public final class SlowEcho implements AgentDefinition {
  private static final Duration PAUSE = Duration.ofSeconds(1);

  @Override
  public String name() {
    return "slow_echo";
  }

  @Override
  public String description() {
    return "Returns each message, a second apart.";
  }

  @Override
  public List<Message> execute(AgentRequest request, AgentContext context)
      throws InterruptedException {
    for (Message message : request.messages()) {
      Thread.sleep(PAUSE);
      context.say(message);
    }
    return List.of();
  }
}
