package dev.runyard.runner.backend.opencode;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.agent.AgentManifest;
import dev.runyard.runner.backend.cli.CliLaunch;
import dev.runyard.runner.backend.clientprotocol.ClientProtocolAgent;
import dev.runyard.runner.backend.clientprotocol.ClientProtocolBackend;
import dev.runyard.runner.backend.clientprotocol.ClientProtocolQuirks;
import java.io.IOException;
import java.util.Map;

/// The opencode agent, as `opencode acp`. It asks for permission only if configured to, and takes
/// its model from its configuration.
public final class OpencodeClientProtocol extends ClientProtocolBackend {
  public OpencodeClientProtocol() {
    super(new Agent());
  }

  private static final class Agent implements ClientProtocolAgent {
    private static final Map<String, String> ASKING =
        Map.of("OPENCODE_PERMISSION", "{\"edit\":\"ask\",\"bash\":\"ask\",\"webfetch\":\"ask\"}");

    @Override
    public AgentManifest manifest() {
      return AgentCatalog.builtIn().find("opencode_acp").orElseThrow();
    }

    @Override
    public ClientProtocolQuirks manners() {
      return ClientProtocolQuirks.USUAL.uncounted();
    }

    @Override
    public Started prepare(CliLaunch launch) throws IOException {
      OpencodeSetup.login(launch);
      ObjectNode config = OpencodeSetup.config(launch);
      OpencodeSetup.model(launch).ifPresent(model -> config.put("model", model));
      OpencodeSetup.write(launch, config);
      return new Started(launch.argv("opencode", "acp"), OpencodeSetup.environment(launch, ASKING));
    }
  }
}
