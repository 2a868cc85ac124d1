package dev.runyard.runner.backend.qwen;

import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.agent.AgentManifest;
import dev.runyard.runner.backend.cli.CliLaunch;
import dev.runyard.runner.backend.clientprotocol.ClientProtocolAgent;
import dev.runyard.runner.backend.clientprotocol.ClientProtocolBackend;
import dev.runyard.runner.backend.clientprotocol.ClientProtocolQuirks;
import java.io.IOException;
import java.util.List;

/// The Qwen Code agent, as `qwen --acp`.
public final class QwenClientProtocol extends ClientProtocolBackend {
  public QwenClientProtocol() {
    super(new Agent());
  }

  private static final class Agent implements ClientProtocolAgent {
    @Override
    public AgentManifest manifest() {
      return AgentCatalog.builtIn().find("qwen_acp").orElseThrow();
    }

    @Override
    public ClientProtocolQuirks manners() {
      return ClientProtocolQuirks.USUAL;
    }

    @Override
    public Started prepare(CliLaunch launch) throws IOException {
      QwenSetup.write(launch);
      List<String> argv = launch.argv("qwen", "--acp");
      argv.addAll(QwenSetup.modelArguments(launch));
      return new Started(argv, QwenSetup.environment(launch));
    }
  }
}
