package dev.runyard.runner.backend.copilot;

import dev.runyard.runner.backend.cli.CliLaunch;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// What Copilot is started with in both modes. With an endpoint it needs no login, and takes the
/// model from a variable.
final class CopilotSetup {
  private static final String ENDPOINT_KEY = "COPILOT_PROVIDER_API_KEY";
  private static final String OWN_KEY = "COPILOT_GITHUB_TOKEN";
  private static final String MODEL = "default";

  private CopilotSetup() {}

  static void login(CliLaunch launch) throws IOException {
    launch.useLogin(List.of(".copilot/config.json"));
  }

  static List<String> modelArguments(CliLaunch launch) {
    return launch.endpoint().isPresent() ? List.of() : launch.modelArguments();
  }

  static Map<String, String> environment(CliLaunch launch) {
    Map<String, String> env = new TreeMap<>(Map.of("COPILOT_AUTO_UPDATE", "false"));
    launch
        .endpoint()
        .ifPresent(
            endpoint -> {
              env.put("COPILOT_OFFLINE", "true");
              env.put("COPILOT_PROVIDER_BASE_URL", endpoint);
              env.put("COPILOT_MODEL", launch.model().orElse(MODEL));
            });
    boolean own = launch.endpoint().isEmpty();
    return launch.environment(own ? launch.keyName(OWN_KEY) : ENDPOINT_KEY, env);
  }
}
