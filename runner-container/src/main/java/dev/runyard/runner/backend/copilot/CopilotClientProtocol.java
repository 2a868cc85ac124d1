package dev.runyard.runner.backend.copilot;

import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.agent.AgentManifest;
import dev.runyard.runner.backend.cli.CliLaunch;
import dev.runyard.runner.backend.clientprotocol.ClientProtocolAgent;
import dev.runyard.runner.backend.clientprotocol.ClientProtocolBackend;
import dev.runyard.runner.backend.clientprotocol.ClientProtocolQuirks;
import java.io.IOException;
import java.util.List;

/// GitHub's Copilot CLI, as `copilot --acp`.
public final class CopilotClientProtocol extends ClientProtocolBackend {
  public CopilotClientProtocol() {
    super(new Agent());
  }

  private static final class Agent implements ClientProtocolAgent {
    @Override
    public AgentManifest manifest() {
      return AgentCatalog.builtIn().find("copilot_acp").orElseThrow();
    }

    @Override
    public ClientProtocolQuirks manners() {
      return ClientProtocolQuirks.USUAL.noticing("Info: ").withErrors("Error: ");
    }

    @Override
    public Started prepare(CliLaunch launch) throws IOException {
      CopilotSetup.login(launch);
      List<String> argv = launch.argv("copilot", "--acp", "--no-auto-update", "--no-remote");
      argv.addAll(CopilotSetup.modelArguments(launch));
      return new Started(argv, CopilotSetup.environment(launch));
    }
  }
}
