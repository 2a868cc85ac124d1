package dev.runyard.runner.backend.clientprotocol;

import dev.runyard.core.agent.AgentManifest;
import dev.runyard.core.agent.ClientProtocolTemplate;
import dev.runyard.core.interaction.InboxMessage;
import dev.runyard.runner.backend.AgentBackend;
import dev.runyard.runner.backend.AgentPrompt;
import dev.runyard.runner.backend.AgentRun;
import dev.runyard.runner.backend.AgentRunRequest;
import dev.runyard.runner.backend.BackendContext;
import dev.runyard.runner.backend.CliQuestions;
import dev.runyard.runner.backend.CliRun;
import dev.runyard.runner.backend.PausePolicy;
import dev.runyard.runner.backend.RunContext;
import dev.runyard.runner.backend.cli.CliLaunch;
import dev.runyard.runner.process.AgentCommand;
import dev.runyard.runner.process.RunMark;
import dev.runyard.runner.process.Stdin;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Runs an agent that speaks the Agent Client Protocol, started by its command line.
public class ClientProtocolBackend implements AgentBackend {
  private final ClientProtocolAgent agent;

  /// An agent that the operator's document describes.
  public ClientProtocolBackend(ClientProtocolTemplate template) {
    this(new DescribedClientProtocolAgent(template));
  }

  protected ClientProtocolBackend(ClientProtocolAgent agent) {
    this.agent = agent;
  }

  @Override
  public final AgentManifest manifest() {
    return agent.manifest();
  }

  @Override
  public final List<Path> sessionState() {
    return agent.sessionState();
  }

  @Override
  public final AgentRun start(AgentRunRequest request, BackendContext context) {
    CliLaunch launch = new CliLaunch(request, context);
    try {
      launch.prepare();
      ClientProtocolAgent.Started started = agent.prepare(launch);
      ClientProtocolOpening opening = opening(launch);
      return CliRun.start(
          context,
          new AgentCommand(started.argv(), request.workingDir(), started.env(), new Stdin.Open()),
          new RunMark(request.runId(), request.attemptId()),
          talk(launch, opening),
          agent.sessionState().isEmpty()
              ? new PausePolicy.HoldsPlace()
              : PausePolicy.resumed(context.files(), opening::resumable));
    } catch (IOException _) {
      return AgentRun.homeless();
    }
  }

  private static ClientProtocolOpening opening(CliLaunch launch) {
    AgentRunRequest request = launch.request();
    return new ClientProtocolOpening(
        launch.resume(),
        request.workingDir().toString(),
        words(request),
        Optional.of(request.standing()).filter(RunContext::continuation).map(AgentPrompt::goOn));
  }

  private ClientProtocolConversation talk(CliLaunch launch, ClientProtocolOpening opening) {
    AgentRunRequest request = launch.request();
    return new ClientProtocolConversation(
        new ClientProtocolPeer(agent.manifest().title(), agent.manners()),
        opening,
        ClientProtocolPermissions.of(launch),
        new CliQuestions<>(request.standing()),
        launch.callPrefix(),
        launch.model().orElse(null));
  }

  /// The first messages of a new conversation: an attempt that continues another repeats the
  /// messages of the other one.
  private static List<String> words(AgentRunRequest request) {
    List<String> words = new ArrayList<>(List.of(request.prompt()));
    RunContext standing = request.standing();
    if (standing.continuation()) {
      standing.interactions().messages().stream().map(InboxMessage::content).forEach(words::add);
    }
    return words;
  }
}
