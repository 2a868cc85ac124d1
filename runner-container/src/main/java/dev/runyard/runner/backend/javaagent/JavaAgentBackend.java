package dev.runyard.runner.backend.javaagent;

import dev.runyard.agent.channel.ToAgent;
import dev.runyard.agent.host.AgentJvm;
import dev.runyard.agent.host.InstalledAgent;
import dev.runyard.agent.host.InstalledAgents;
import dev.runyard.core.agent.AgentManifest;
import dev.runyard.runner.backend.AgentBackend;
import dev.runyard.runner.backend.AgentOutput;
import dev.runyard.runner.backend.AgentRun;
import dev.runyard.runner.backend.AgentRunRequest;
import dev.runyard.runner.backend.BackendContext;
import dev.runyard.runner.backend.CliRun;
import dev.runyard.runner.backend.PausePolicy;
import dev.runyard.runner.backend.ReplayFilter;
import dev.runyard.runner.backend.RunContext;
import dev.runyard.runner.backend.cli.CliLaunch;
import dev.runyard.runner.process.AgentCommand;
import dev.runyard.runner.process.RunMark;
import dev.runyard.runner.process.Stdin;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Runs one Java agent, each attempt in a process of its own. The agent's input and output are in
/// the run's log, so that it can be moved by replay.
public final class JavaAgentBackend implements AgentBackend {
  private static final String API_KEY = "API_KEY";

  private final InstalledAgent agent;
  private final AgentManifest manifest;
  private final Patience patience;

  public JavaAgentBackend(InstalledAgent agent) {
    this(agent, Patience.DEFAULT);
  }

  JavaAgentBackend(InstalledAgent agent, Patience patience) {
    this.agent = agent;
    this.manifest = InstalledAgents.manifest(agent);
    this.patience = patience;
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
    CliLaunch launch = new CliLaunch(request, context);
    try {
      launch.prepare();
    } catch (IOException _) {
      return AgentRun.homeless();
    }
    RunContext standing = request.standing();
    long outputs = standing.continuation() ? standing.interactions().outputs() : 0;
    return CliRun.start(
        context,
        command(launch),
        new RunMark(request.runId(), request.attemptId()),
        new JavaAgentConversation(
            start(request),
            patience,
            () -> context.sessions().said(standing.run().tenant(), standing.turn())),
        new PausePolicy.Replayed(),
        new AgentOutput(context.shaper(), new ReplayFilter(outputs)));
  }

  private AgentCommand command(CliLaunch launch) {
    Map<String, String> environment =
        launch.environment(launch.keyName(API_KEY), launch.modelVariables());
    List<String> options = new ArrayList<>();
    options.add("-Djava.io.tmpdir=" + Path.of(String.valueOf(environment.get("TMPDIR"))));
    options.add("-Duser.home=" + launch.context().home());
    options.addAll(launch.context().settings().args());
    return new AgentCommand(
        AgentJvm.executing(agent.jars(), options, launch.context().home()),
        launch.request().workingDir(),
        environment,
        new Stdin.Open());
  }

  private ToAgent.Start start(AgentRunRequest request) {
    RunContext standing = request.standing();
    return new ToAgent.Start(
        agent.name(),
        agent.type(),
        standing.run(),
        request.attemptId(),
        standing.sessionId(),
        request.prompt(),
        standing.input(),
        standing.interactions());
  }
}
