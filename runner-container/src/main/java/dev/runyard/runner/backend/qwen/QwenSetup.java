package dev.runyard.runner.backend.qwen;

import dev.runyard.runner.backend.cli.CliLaunch;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// What Qwen Code is started with in both modes.
final class QwenSetup {
  private static final String KEY = "OPENAI_API_KEY";
  private static final String MODEL = "default";

  private QwenSetup() {}

  /// Writes its settings below the home.
  static void write(CliLaunch launch) throws IOException {
    boolean login = launch.login(".qwen/oauth_creds.json");
    launch.write(".qwen/settings.json", CliLaunch.quietSettings(login ? "qwen-oauth" : "openai"));
  }

  /// With an endpoint of the operator it needs a model.
  static List<String> modelArguments(CliLaunch launch) {
    return launch.model().isEmpty() && launch.endpoint().isPresent()
        ? List.of("--model", MODEL)
        : launch.modelArguments();
  }

  static Map<String, String> environment(CliLaunch launch) {
    Map<String, String> env = new TreeMap<>(Map.of("QWEN_CODE_NO_RELAUNCH", "true"));
    launch.endpoint().ifPresent(endpoint -> env.put("OPENAI_BASE_URL", endpoint));
    return launch.environment(KEY, env);
  }
}
