package dev.runyard.runner.backend.clientprotocol;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.agent.AgentKind;
import dev.runyard.core.agent.AgentManifest;
import dev.runyard.core.agent.ClientProtocolAgents;
import dev.runyard.runner.backend.cli.CliLaunch;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The agents Runyard knows how to start: quiet, with retries that are few where that can be said,
/// and with the operator's endpoint and key.
public final class KnownClientProtocolAgents {
  private KnownClientProtocolAgents() {}

  public static final class Copilot extends ClientProtocolBackend {
    public Copilot() {
      super(
          agent(
              ClientProtocolAgents.COPILOT,
              ClientProtocolQuirks.USUAL.noticing("Info: ").withErrors("Error: "),
              KnownClientProtocolAgents::copilot));
    }
  }

  public static final class Gemini extends ClientProtocolBackend {
    public Gemini() {
      super(
          agent(
              ClientProtocolAgents.GEMINI,
              ClientProtocolQuirks.USUAL,
              KnownClientProtocolAgents::gemini));
    }
  }

  public static final class Opencode extends ClientProtocolBackend {
    public Opencode() {
      super(
          agent(
              ClientProtocolAgents.OPENCODE,
              ClientProtocolQuirks.USUAL.uncounted(),
              KnownClientProtocolAgents::opencode));
    }
  }

  public static final class Qwen extends ClientProtocolBackend {
    public Qwen() {
      super(
          agent(
              ClientProtocolAgents.QWEN,
              ClientProtocolQuirks.USUAL,
              KnownClientProtocolAgents::qwen));
    }
  }

  @FunctionalInterface
  private interface Preparing {
    ClientProtocolAgent.Started prepare(CliLaunch launch) throws IOException;
  }

  private record Known(AgentManifest manifest, ClientProtocolQuirks manners, Preparing preparing)
      implements ClientProtocolAgent {
    @Override
    public Started prepare(CliLaunch launch) throws IOException {
      return preparing.prepare(launch);
    }
  }

  static AgentManifest manifest(AgentKind kind) {
    return AgentCatalog.builtIn().find(kind.name()).orElseThrow();
  }

  /// The program, the operator's arguments, and these.
  static List<String> argv(CliLaunch launch, String program, String... more) {
    List<String> argv = new ArrayList<>(List.of(launch.program(program)));
    argv.addAll(launch.context().settings().args());
    argv.addAll(List.of(more));
    return argv;
  }

  private static ClientProtocolAgent agent(
      AgentKind kind, ClientProtocolQuirks manners, Preparing preparing) {
    return new Known(manifest(kind), manners, preparing);
  }

  private static ClientProtocolAgent.Started copilot(CliLaunch launch) throws IOException {
    launch.useLogin(List.of(".copilot/config.json"));
    List<String> argv = argv(launch, "copilot", "--acp", "--no-auto-update", "--no-remote");
    Map<String, String> env = new TreeMap<>(Map.of("COPILOT_AUTO_UPDATE", "false"));
    boolean own = launch.endpoint().isPresent();
    launch
        .endpoint()
        .ifPresent(
            endpoint -> {
              env.put("COPILOT_OFFLINE", "true");
              env.put("COPILOT_PROVIDER_BASE_URL", endpoint);
              env.put("COPILOT_MODEL", launch.model().orElse("default"));
            });
    if (!own) {
      launch.model().ifPresent(model -> argv.addAll(List.of("--model", model)));
    }
    String key = own ? "COPILOT_PROVIDER_API_KEY" : launch.keyName("COPILOT_GITHUB_TOKEN");
    return new ClientProtocolAgent.Started(argv, launch.environment(key, env));
  }

  /// It starts itself anew by default, and a signal to the first process would go unheard.
  private static ClientProtocolAgent.Started gemini(CliLaunch launch) throws IOException {
    boolean login = login(launch, ".gemini/oauth_creds.json", ".gemini/google_accounts.json");
    ObjectNode settings = quiet(login ? "oauth-personal" : "gemini-api-key");
    settings.putObject("telemetry").put("enabled", false);
    settings.withObject("/general").put("maxAttempts", 3);
    launch.write(".gemini/settings.json", settings);
    List<String> argv = argv(launch, "gemini", "--acp", "--skip-trust");
    launch.model().ifPresent(model -> argv.addAll(List.of("--model", model)));
    Map<String, String> env = new TreeMap<>(Map.of("GEMINI_CLI_NO_RELAUNCH", "true"));
    launch.endpoint().ifPresent(endpoint -> env.put("GOOGLE_GEMINI_BASE_URL", endpoint));
    return new ClientProtocolAgent.Started(argv, launch.environment("GEMINI_API_KEY", env));
  }

  private static ClientProtocolAgent.Started qwen(CliLaunch launch) throws IOException {
    boolean login = login(launch, ".qwen/oauth_creds.json");
    launch.write(".qwen/settings.json", quiet(login ? "qwen-oauth" : "openai"));
    List<String> argv = argv(launch, "qwen", "--acp");
    launch
        .model()
        .or(() -> launch.endpoint().map(_ -> "default"))
        .ifPresent(model -> argv.addAll(List.of("--model", model)));
    Map<String, String> env = new TreeMap<>(Map.of("QWEN_CODE_NO_RELAUNCH", "true"));
    launch.endpoint().ifPresent(endpoint -> env.put("OPENAI_BASE_URL", endpoint));
    return new ClientProtocolAgent.Started(argv, launch.environment("OPENAI_API_KEY", env));
  }

  /// It asks for nothing unless it is told to.
  private static ClientProtocolAgent.Started opencode(CliLaunch launch) throws IOException {
    launch.useLogin(List.of(".local/share/opencode/auth.json"));
    ObjectNode config =
        ClientProtocolLines.object().put("autoupdate", false).put("share", "disabled");
    String key = "OPENCODE_ENDPOINT_KEY";
    String model = launch.model().orElse("default");
    launch
        .endpoint()
        .ifPresent(
            endpoint -> {
              config.put("model", "runyard/" + model);
              ObjectNode provider = config.putObject("provider").putObject("runyard");
              provider.put("npm", "@ai-sdk/openai-compatible");
              provider
                  .putObject("options")
                  .put("baseURL", endpoint)
                  .put("apiKey", "{env:%s}".formatted(key));
              provider.putObject("models").putObject(model);
            });
    if (launch.endpoint().isEmpty()) {
      launch.model().ifPresent(own -> config.put("model", own));
    }
    launch.write(".config/opencode/opencode.json", config);
    Map<String, String> env =
        Map.of(
            "OPENCODE_DISABLE_MODELS_FETCH", "1",
            "OPENCODE_DISABLE_AUTOUPDATE", "1",
            "OPENCODE_DISABLE_DEFAULT_PLUGINS", "1",
            "OPENCODE_DISABLE_LSP_DOWNLOAD", "1",
            "OPENCODE_PERMISSION", "{\"edit\":\"ask\",\"bash\":\"ask\",\"webfetch\":\"ask\"}");
    return new ClientProtocolAgent.Started(
        argv(launch, "opencode", "acp"),
        launch.environment(
            launch.endpoint().isPresent() ? key : launch.keyName("ANTHROPIC_API_KEY"), env));
  }

  /// True where the first of these files is there.
  private static boolean login(CliLaunch launch, String... files) throws IOException {
    launch.useLogin(List.of(files));
    return Files.exists(launch.context().home().resolve(files[0]));
  }

  private static ObjectNode quiet(String login) {
    ObjectNode settings = ClientProtocolLines.object();
    settings.putObject("security").putObject("auth").put("selectedType", login);
    settings.putObject("privacy").put("usageStatisticsEnabled", false);
    settings.putObject("general").put("enableAutoUpdate", false);
    return settings;
  }
}
