package dev.runyard.runner.backend.javaagent;

import dev.runyard.agent.AgentDefinition;
import dev.runyard.agent.host.InstalledAgents;
import dev.runyard.core.agent.AgentManifest;
import dev.runyard.runner.backend.AgentBackend;
import dev.runyard.runner.backend.AgentRun;
import dev.runyard.runner.backend.AgentRunRequest;
import dev.runyard.runner.backend.BackendContext;
import java.time.Duration;

/// Runs one Java agent, each run on its own thread. The agent's input and output are in the run's
/// log, so that it can be moved by replay.
public final class JavaAgentBackend implements AgentBackend {
  /// How long a thread may take to end once it is interrupted. If it does not, it is reported as
  /// left behind, because a thread cannot be killed.
  static final Duration STOP_WAIT = Duration.ofSeconds(10);

  private final AgentDefinition agent;
  private final AgentManifest manifest;
  private final Duration stopWait;

  public JavaAgentBackend(AgentDefinition agent) {
    this(agent, STOP_WAIT);
  }

  JavaAgentBackend(AgentDefinition agent, Duration stopWait) {
    this.agent = agent;
    this.manifest = InstalledAgents.manifest(agent);
    this.stopWait = stopWait;
  }

  @Override
  public AgentManifest manifest() {
    return manifest;
  }

  @Override
  public boolean replayed() {
    return true;
  }

  @Override
  public AgentRun start(AgentRunRequest request, BackendContext context) {
    return new JavaAgentRun(agent, request, context, stopWait).start();
  }
}
