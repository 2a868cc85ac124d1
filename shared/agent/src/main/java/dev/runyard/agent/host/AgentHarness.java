package dev.runyard.agent.host;

import dev.runyard.agent.AgentContext;
import dev.runyard.agent.AgentDefinition;
import dev.runyard.agent.AgentInbox;
import dev.runyard.agent.AgentRequest;
import dev.runyard.agent.Answer;
import dev.runyard.agent.Ask;
import dev.runyard.agent.hub.Hub;
import dev.runyard.agent.hub.HubEvent;
import dev.runyard.agent.hub.HubRoutes;
import dev.runyard.agent.hub.HubScope;
import dev.runyard.agent.hub.LocalHub;
import dev.runyard.core.message.Message;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/// Executes agents on one hub. An execution's inbox is open before `agent:start` is emitted, so a
/// message sent by a listener of that event is not lost. Thread-safe.
public final class AgentHarness implements HubRoutes {
  private final LocalHub hub;
  private final AgentHost host;
  private final Supplier<String> runIds;
  private final Map<String, Execution> active = new ConcurrentHashMap<>();

  /// @param runIds gives every execution its own id
  public AgentHarness(LocalHub hub, AgentHost host, Supplier<String> runIds) {
    this.hub = hub;
    this.host = host;
    this.runIds = runIds;
    hub.route(this);
  }

  public ExecutableAgent wrap(AgentDefinition agent) {
    return new ExecutableAgent() {
      @Override
      public String name() {
        return agent.name();
      }

      @Override
      public List<Message> execute(AgentRequest request) throws Exception {
        return AgentHarness.this.execute(agent, request);
      }
    };
  }

  private List<Message> execute(AgentDefinition agent, AgentRequest request) throws Exception {
    String runId = runIds.get();
    Execution execution = new Execution(agent.name(), runId, host.open(runId));
    active.put(runId, execution);
    try {
      return hub.scoped(HubScope.agent(agent.name()), () -> told(agent, request, execution));
    } finally {
      active.remove(runId);
      execution.mailbox().inbox().close();
    }
  }

  private List<Message> told(AgentDefinition agent, AgentRequest request, Execution execution)
      throws Exception {
    if (agent.emitsStartComplete()) {
      return worked(agent, request, execution);
    }
    boolean success = false;
    hub.emit(HubEvent.agentStart(execution.agentName(), execution.runId()));
    try {
      List<Message> result = worked(agent, request, execution);
      success = true;
      return result;
    } finally {
      hub.emit(HubEvent.agentComplete(execution.agentName(), success, execution.runId()));
    }
  }

  private List<Message> worked(AgentDefinition agent, AgentRequest request, Execution execution)
      throws Exception {
    AgentContext context = new Context(execution);
    List<Message> result = agent.execute(request, context);
    result.forEach(context::say);
    return result;
  }

  @Override
  public boolean toRun(String runId, String content) {
    Execution execution = active.get(runId);
    return execution != null && execution.mailbox().post().accept(content);
  }

  @Override
  public boolean toAgent(String agentName, String content) {
    List<Execution> named =
        active.values().stream().filter(each -> each.agentName().equals(agentName)).toList();
    return named.size() == 1 && named.getFirst().mailbox().post().accept(content);
  }

  @Override
  public void end() {
    active.values().forEach(execution -> execution.mailbox().inbox().close());
  }

  private record Execution(String agentName, String runId, Mailbox mailbox) {}

  private final class Context implements AgentContext {
    private final Execution execution;

    Context(Execution execution) {
      this.execution = execution;
    }

    @Override
    public Hub hub() {
      return hub;
    }

    @Override
    public AgentInbox inbox() {
      return execution.mailbox().inbox();
    }

    @Override
    public String runId() {
      return execution.runId();
    }

    @Override
    public String sessionId() {
      return hub.current().sessionId();
    }

    @Override
    public List<Message> history() {
      return host.history();
    }

    @Override
    public Answer ask(Ask ask) throws InterruptedException {
      return host.ask(execution.runId(), ask);
    }
  }
}
