package dev.runyard.runner.backend.gemini;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.runner.backend.cli.CliLaunch;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/// What Gemini CLI is started with in both modes: quiet, and with few retries.
final class GeminiSetup {
  private static final String KEY = "GEMINI_API_KEY";
  private static final int ATTEMPTS = 3;

  private GeminiSetup() {}

  /// Writes its settings below the home.
  static void write(CliLaunch launch) throws IOException {
    boolean login = launch.login(".gemini/oauth_creds.json", ".gemini/google_accounts.json");
    ObjectNode settings = CliLaunch.quietSettings(login ? "oauth-personal" : "gemini-api-key");
    settings.putObject("telemetry").put("enabled", false);
    settings.withObject("/general").put("maxAttempts", ATTEMPTS);
    launch.write(".gemini/settings.json", settings);
  }

  /// By default it restarts itself as a child process, which would miss a signal to the first
  /// process.
  static Map<String, String> environment(CliLaunch launch) {
    Map<String, String> env = new TreeMap<>(Map.of("GEMINI_CLI_NO_RELAUNCH", "true"));
    launch.endpoint().ifPresent(endpoint -> env.put("GOOGLE_GEMINI_BASE_URL", endpoint));
    return launch.environment(KEY, env);
  }
}
