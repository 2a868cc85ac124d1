package dev.runyard.runner.backend.claude;

import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.agent.AgentManifest;
import dev.runyard.runner.backend.SessionChoice;
import dev.runyard.runner.backend.cli.CliLaunch;
import dev.runyard.runner.backend.clientprotocol.ClientProtocolAgent;
import dev.runyard.runner.backend.clientprotocol.ClientProtocolBackend;
import dev.runyard.runner.backend.clientprotocol.ClientProtocolQuirks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/// Anthropic's agent behind `claude-agent-acp`, which queues prompts.
public final class ClaudeAgentClientProtocol extends ClientProtocolBackend {
  public ClaudeAgentClientProtocol() {
    super(new Agent());
  }

  private static final class Agent implements ClientProtocolAgent {
    private static final String CONFIG = ".claude";
    private static final Path PROJECTS = Path.of(CONFIG, "projects");
    private static final int DEPTH = 2;
    private static final String MODEL_RETRIES_MAX = "3";

    @Override
    public AgentManifest manifest() {
      return AgentCatalog.builtIn().find("claude_agent_acp").orElseThrow();
    }

    /// When asked to end during a question, it sometimes records that its user refused.
    @Override
    public ClientProtocolQuirks manners() {
      return ClientProtocolQuirks.USUAL.queueing(true).killedAsking();
    }

    @Override
    public List<Path> sessionState() {
      return List.of(PROJECTS);
    }

    @Override
    public Started prepare(CliLaunch launch) throws IOException {
      launch.useLogin(List.of(CONFIG + "/.credentials.json"));
      if (launch.resume() instanceof SessionChoice.ById(String id, boolean _)) {
        move(id, launch);
      }
      Map<String, String> env =
          new TreeMap<>(
              Map.of(
                  "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
                  "1",
                  "DISABLE_AUTOUPDATER",
                  "1",
                  "CLAUDE_CODE_MAX_RETRIES",
                  MODEL_RETRIES_MAX,
                  "CLAUDE_CONFIG_DIR",
                  launch.context().home().resolve(CONFIG).toString()));
      launch.endpoint().ifPresent(url -> env.put("ANTHROPIC_BASE_URL", bare(url)));
      launch.model().ifPresent(model -> env.put("ANTHROPIC_MODEL", model));
      return new Started(
          launch.argv("claude-agent-acp"), launch.environment("ANTHROPIC_API_KEY", env));
    }

    /// It adds the version to the address itself.
    private static String bare(String endpoint) {
      return endpoint.replaceFirst("(/v1)?/?$", "");
    }

    /// It finds a conversation only below the folder of its working directory.
    private static void move(String id, CliLaunch launch) throws IOException {
      Path projects = launch.context().home().resolve(PROJECTS);
      Optional<Path> held = find(projects, id + ".jsonl");
      if (held.isEmpty()) {
        return;
      }
      String name =
          launch.request().workingDir().toRealPath().toString().replaceAll("[^a-zA-Z0-9]", "-");
      Path folder = Files.createDirectories(projects.resolve(name));
      for (String entry : List.of(id + ".jsonl", id)) {
        Path old = held.get().resolveSibling(entry);
        if (Files.exists(old) && !folder.equals(old.getParent())) {
          Files.move(old, folder.resolve(entry));
        }
      }
    }

    private static Optional<Path> find(Path projects, String name) throws IOException {
      if (!Files.isDirectory(projects)) {
        return Optional.empty();
      }
      try (Stream<Path> files = Files.walk(projects, DEPTH)) {
        return files.filter(file -> file.endsWith(name)).findFirst();
      }
    }
  }
}
