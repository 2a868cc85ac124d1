package dev.runyard.runner.backend.javaagent;

import dev.runyard.agent.AgentContext;
import dev.runyard.agent.AgentDefinition;
import dev.runyard.agent.AgentRequest;
import dev.runyard.core.message.Message;
import java.util.List;

/// An agent named `worker` that does the given work.
public record Working(boolean emitsStartComplete, Work work) implements AgentDefinition {
  /// What it does.
  @FunctionalInterface
  public interface Work {
    void run(AgentContext context) throws Exception;
  }

  public Working(Work work) {
    this(false, work);
  }

  @Override
  public String name() {
    return "worker";
  }

  @Override
  public List<Message> execute(AgentRequest request, AgentContext context) throws Exception {
    work.run(context);
    return List.of();
  }
}
