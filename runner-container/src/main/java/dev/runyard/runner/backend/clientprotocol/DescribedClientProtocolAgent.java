package dev.runyard.runner.backend.clientprotocol;

import dev.runyard.core.agent.AgentManifest;
import dev.runyard.core.agent.ClientProtocolTemplate;
import dev.runyard.runner.backend.cli.CliLaunch;
import java.nio.file.Path;
import java.util.List;

/// An agent that the operator's document describes. No shell reads the arguments.
record DescribedClientProtocolAgent(ClientProtocolTemplate template)
    implements ClientProtocolAgent {
  @Override
  public AgentManifest manifest() {
    return template.manifest();
  }

  @Override
  public ClientProtocolQuirks manners() {
    return ClientProtocolQuirks.USUAL.queueing(template.messages());
  }

  @Override
  public List<Path> sessionState() {
    return template.sessions().stream().map(Path::of).toList();
  }

  @Override
  public Started prepare(CliLaunch launch) {
    List<String> argv = launch.argv(template.kind().name());
    launch
        .model()
        .ifPresent(
            model ->
                template
                    .modelArgs()
                    .forEach(arg -> argv.add(arg.replace(ClientProtocolTemplate.MODEL, model))));
    return new Started(
        argv, launch.environment(launch.keyName("API_KEY"), launch.modelVariables()));
  }
}
