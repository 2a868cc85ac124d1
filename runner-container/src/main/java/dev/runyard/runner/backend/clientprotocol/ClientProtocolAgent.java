package dev.runyard.runner.backend.clientprotocol;

import dev.runyard.core.agent.AgentManifest;
import dev.runyard.runner.backend.cli.CliLaunch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// An agent that speaks the protocol: how it is started, and where it differs from others.
public interface ClientProtocolAgent {
  AgentManifest manifest();

  ClientProtocolQuirks manners();

  /// Paths below the home that hold its conversations.
  default List<Path> sessionState() {
    return List.of();
  }

  /// How a run is started, after its configuration was written below the home.
  Started prepare(CliLaunch launch) throws IOException;

  /// The process of a run.
  ///
  /// @param argv the program first
  record Started(List<String> argv, Map<String, String> env) {
    public Started {
      argv = List.copyOf(argv);
      env = Map.copyOf(env);
    }
  }
}
