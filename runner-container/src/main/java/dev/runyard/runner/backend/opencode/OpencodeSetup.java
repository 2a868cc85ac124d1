package dev.runyard.runner.backend.opencode;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.runner.backend.cli.CliLaunch;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// What opencode is started with in both modes. The operator's endpoint is configured as another
/// provider.
final class OpencodeSetup {
  private static final String PROVIDER = "runyard";
  private static final String ENDPOINT_KEY = "OPENCODE_ENDPOINT_KEY";
  private static final String OWN_KEY = "ANTHROPIC_API_KEY";
  private static final String MODEL = "default";
  private static final Map<String, String> QUIET =
      Map.of(
          "OPENCODE_DISABLE_MODELS_FETCH", "1",
          "OPENCODE_DISABLE_AUTOUPDATE", "1",
          "OPENCODE_DISABLE_DEFAULT_PLUGINS", "1",
          "OPENCODE_DISABLE_LSP_DOWNLOAD", "1");

  private OpencodeSetup() {}

  static void login(CliLaunch launch) throws IOException {
    launch.useLogin(List.of(".local/share/opencode/auth.json"));
  }

  static void write(CliLaunch launch, ObjectNode config) throws IOException {
    launch.write(".config/opencode/opencode.json", config);
  }

  /// The model, by its name in opencode; empty for its own choice.
  static Optional<String> model(CliLaunch launch) {
    return launch.endpoint().isPresent()
        ? Optional.of(PROVIDER + "/" + launch.model().orElse(MODEL))
        : launch.model();
  }

  /// The key is given by the name of its variable.
  static ObjectNode config(CliLaunch launch) {
    ObjectNode config = JsonNodeFactory.instance.objectNode();
    config.put("autoupdate", false).put("share", "disabled");
    launch
        .endpoint()
        .ifPresent(
            endpoint -> {
              ObjectNode provider = config.putObject("provider").putObject(PROVIDER);
              provider.put("npm", "@ai-sdk/openai-compatible");
              provider
                  .putObject("options")
                  .put("baseURL", endpoint)
                  .put("apiKey", "{env:" + ENDPOINT_KEY + "}");
              provider.putObject("models").putObject(launch.model().orElse(MODEL));
            });
    return config;
  }

  /// @param more variables of this mode
  static Map<String, String> environment(CliLaunch launch, Map<String, String> more) {
    Map<String, String> env = new TreeMap<>(QUIET);
    env.putAll(more);
    if (!launch.context().settings().grants().trustWorkspace()) {
      env.put("OPENCODE_DISABLE_PROJECT_CONFIG", "1");
      env.put("OPENCODE_PURE", "1");
    }
    boolean own = launch.endpoint().isEmpty();
    return launch.environment(own ? launch.keyName(OWN_KEY) : ENDPOINT_KEY, env);
  }
}
