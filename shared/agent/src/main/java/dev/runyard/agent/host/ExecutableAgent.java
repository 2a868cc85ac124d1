package dev.runyard.agent.host;

import dev.runyard.agent.AgentRequest;
import dev.runyard.core.message.Message;
import java.util.List;

/// An agent as its callers see it: a name and something to execute, without its context. Each
/// execution has its own id and inbox.
public interface ExecutableAgent {
  String name();

  /// Executes the agent and returns its result, or throws what it threw.
  List<Message> execute(AgentRequest request) throws Exception;
}
