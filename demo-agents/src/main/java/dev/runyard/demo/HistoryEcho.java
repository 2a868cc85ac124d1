package dev.runyard.demo;

import dev.runyard.agent.AgentContext;
import dev.runyard.agent.AgentDefinition;
import dev.runyard.agent.AgentRequest;
import dev.runyard.core.message.Message;
import java.util.ArrayList;
import java.util.List;

/// Returns what was said in the session, then the input.
public final class HistoryEcho implements AgentDefinition {
  @Override
  public String name() {
    return "history_echo";
  }

  @Override
  public String description() {
    return "Returns what was said in the session, then the input.";
  }

  @Override
  public List<Message> execute(AgentRequest request, AgentContext context) {
    List<Message> all = new ArrayList<>(context.history());
    all.addAll(request.messages());
    return all;
  }
}
