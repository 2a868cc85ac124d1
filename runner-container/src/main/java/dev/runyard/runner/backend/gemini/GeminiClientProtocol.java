package dev.runyard.runner.backend.gemini;

import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.agent.AgentManifest;
import dev.runyard.runner.backend.cli.CliLaunch;
import dev.runyard.runner.backend.clientprotocol.ClientProtocolAgent;
import dev.runyard.runner.backend.clientprotocol.ClientProtocolBackend;
import dev.runyard.runner.backend.clientprotocol.ClientProtocolQuirks;
import java.io.IOException;
import java.util.List;

/// Google's Gemini CLI, as `gemini --acp`.
public final class GeminiClientProtocol extends ClientProtocolBackend {
  public GeminiClientProtocol() {
    super(new Agent());
  }

  private static final class Agent implements ClientProtocolAgent {
    @Override
    public AgentManifest manifest() {
      return AgentCatalog.builtIn().find("gemini_acp").orElseThrow();
    }

    @Override
    public ClientProtocolQuirks manners() {
      return ClientProtocolQuirks.USUAL;
    }

    @Override
    public Started prepare(CliLaunch launch) throws IOException {
      GeminiSetup.write(launch);
      List<String> argv = launch.argv("gemini", "--acp", "--skip-trust");
      argv.addAll(launch.modelArguments());
      return new Started(argv, GeminiSetup.environment(launch));
    }
  }
}
