package dev.runyard.runner.backend.opencode;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.agent.PromptedAgents;
import dev.runyard.runner.backend.cli.CliLaunch;
import dev.runyard.runner.backend.cli.PromptedCli;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The opencode agent, as `opencode run --format json`.
public final class OpencodeBackend extends PromptedCli {
  private static final String PROVIDER = "runyard";
  private static final String ENDPOINT_KEY = "OPENCODE_ENDPOINT_KEY";
  private static final String MODEL = "default";
  private static final String LOGIN = ".local/share/opencode/auth.json";
  private static final Map<String, String> QUIET =
      Map.of(
          "OPENCODE_DISABLE_MODELS_FETCH", "1",
          "OPENCODE_DISABLE_AUTOUPDATE", "1",
          "OPENCODE_DISABLE_DEFAULT_PLUGINS", "1",
          "OPENCODE_DISABLE_LSP_DOWNLOAD", "1");

  public OpencodeBackend() {
    super(PromptedAgents.OPENCODE);
  }

  @Override
  protected Started prepare(CliLaunch launch) throws IOException {
    boolean own = launch.endpoint().isPresent();
    launch.useLogin(List.of(LOGIN));
    launch.write(".config/opencode/opencode.json", config(launch));
    List<String> argv = new ArrayList<>(List.of(launch.program("opencode")));
    argv.addAll(launch.context().settings().args());
    argv.addAll(List.of("run", "--title", "run", "--format", "json"));
    if (own) {
      argv.addAll(List.of("--model", PROVIDER + "/" + launch.model().orElse(MODEL)));
    } else {
      launch.model().ifPresent(model -> argv.addAll(List.of("--model", model)));
    }
    Map<String, String> env = new TreeMap<>(QUIET);
    switch (launch.approval()) {
      case NONE -> env.put("OPENCODE_PERMISSION", "{\"edit\":\"deny\",\"bash\":\"deny\"}");
      case EDITS -> env.put("OPENCODE_PERMISSION", "{\"bash\":\"deny\"}");
      case ALL -> argv.add("--auto");
    }
    return new Started(
        argv,
        launch.environment(own ? ENDPOINT_KEY : launch.keyName("ANTHROPIC_API_KEY"), env),
        new OpencodeStream(launch.callPrefix(), launch.model().orElse(null)));
  }

  /// The key stands here by the name of its variable.
  private static ObjectNode config(CliLaunch launch) {
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
}
