package dev.runyard.runner.backend.codex;

import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.agent.AgentManifest;
import dev.runyard.runner.backend.cli.CliLaunch;
import dev.runyard.runner.backend.clientprotocol.ClientProtocolAgent;
import dev.runyard.runner.backend.clientprotocol.ClientProtocolBackend;
import dev.runyard.runner.backend.clientprotocol.ClientProtocolPermissions;
import dev.runyard.runner.backend.clientprotocol.ClientProtocolQuirks;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// OpenAI's agent behind `codex-acp`. It asks before all but the most harmless commands, so that
/// the run says who decides; if everything is permitted, it does not ask and needs no sandbox. It
/// does not end with its input.
public final class CodexClientProtocol extends ClientProtocolBackend {
  public CodexClientProtocol() {
    super(new Agent());
  }

  private static final class Agent implements ClientProtocolAgent {
    private static final String FOLDER = ".codex";
    private static final String ENDPOINT_KEY = "CODEX_ENDPOINT_KEY";
    private static final String OWN_KEY = "CODEX_API_KEY";

    @Override
    public AgentManifest manifest() {
      return AgentCatalog.builtIn().find("codex_acp").orElseThrow();
    }

    @Override
    public ClientProtocolQuirks manners() {
      return ClientProtocolQuirks.USUAL.staying().noticing("Model metadata for `");
    }

    @Override
    public List<Path> sessionState() {
      return List.of(Path.of(FOLDER, "sessions"));
    }

    @Override
    public Started prepare(CliLaunch launch) throws IOException {
      launch.useLogin(List.of(FOLDER + "/auth.json"));
      String key = launch.endpoint().isPresent() ? ENDPOINT_KEY : launch.keyName(OWN_KEY);
      CodexHome home =
          CodexHome.prepare(
              launch.context().home().resolve(FOLDER),
              new CodexSettings(
                  launch.program("codex-acp"),
                  List.of(),
                  Map.of(),
                  launch.endpoint().map(URI::create),
                  key,
                  Optional.empty(),
                  launch.context().settings().grants()),
              launch.request().workingDir());
      List<String> argv = launch.argv("codex-acp");
      boolean all = ClientProtocolPermissions.of(launch) == ClientProtocolPermissions.ALL;
      override(argv, "approval_policy", all ? "never" : "untrusted");
      override(argv, "sandbox_mode", all ? "danger-full-access" : "workspace-write");
      launch.model().ifPresent(model -> override(argv, "model", model));
      Map<String, String> env = new TreeMap<>(launch.environment(key, Map.of("RUST_LOG", "error")));
      env.put("CODEX_HOME", home.path().toString());
      return new Started(argv, env);
    }

    private static void override(List<String> argv, String key, String value) {
      argv.add("-c");
      argv.add("%s=\"%s\"".formatted(key, value.replace("\\", "\\\\").replace("\"", "\\\"")));
    }
  }
}
