package dev.runyard.runner.backend.acp;

import dev.runyard.core.agent.AgentManifest;
import dev.runyard.core.agent.ClientProtocolTemplate;
import dev.runyard.runner.backend.cli.CliLaunch;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// An agent that the operator's document describes. No shell reads the arguments.
record DescribedAcpAgent(ClientProtocolTemplate template) implements AcpAgent {
  @Override
  public AgentManifest manifest() {
    return template.manifest();
  }

  @Override
  public AcpManners manners() {
    return AcpManners.USUAL.queueing(template.messages());
  }

  @Override
  public List<Path> sessionState() {
    return template.sessions().stream().map(Path::of).toList();
  }

  @Override
  public Started prepare(CliLaunch launch) {
    List<String> argv = new ArrayList<>(List.of(launch.program(template.kind().name())));
    argv.addAll(launch.context().settings().args());
    launch
        .model()
        .ifPresent(
            model ->
                template
                    .modelArgs()
                    .forEach(arg -> argv.add(arg.replace(ClientProtocolTemplate.MODEL, model))));
    return new Started(argv, launch.environment(launch.keyName("API_KEY"), Map.of()));
  }
}
