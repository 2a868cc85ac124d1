package dev.runyard.runner.backend.javaagent;

import dev.runyard.agent.AgentContext;
import dev.runyard.agent.AgentDefinition;
import dev.runyard.agent.AgentRequest;
import dev.runyard.core.message.Message;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/// An agent that cannot be created in the process of a run: its class is never done with loading.
public final class Unborn implements AgentDefinition {
  static final String NAME = "unborn";

  static {
    while (!Thread.currentThread().getName().equals("nobody")) {
      LockSupport.park();
    }
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<Message> execute(AgentRequest request, AgentContext context) {
    return List.of();
  }
}
