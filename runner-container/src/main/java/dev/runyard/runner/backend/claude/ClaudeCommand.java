package dev.runyard.runner.backend.claude;

import dev.runyard.core.agent.AgentSettings;
import dev.runyard.runner.backend.AgentRunRequest;
import dev.runyard.runner.backend.BackendContext;
import dev.runyard.runner.backend.WorkspaceTrust;
import dev.runyard.runner.process.AgentCommand;
import dev.runyard.runner.process.Stdin;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// The command that starts Claude Code for a run. The prompt goes through standard input, like all
/// other input.
final class ClaudeCommand {
  /// How often it retries a call of its model; its own default lets a run hang for minutes.
  static final int MODEL_RETRIES_MAX = 3;

  static final String KEY = "ANTHROPIC_API_KEY";
  static final String ENDPOINT = "ANTHROPIC_BASE_URL";
  private static final String PROGRAM = "claude";
  private static final String HOME = "HOME";
  private static final String CONFIG_DIR = "CLAUDE_CONFIG_DIR";
  private static final String VERSION_PATH = "/v1";

  private ClaudeCommand() {}

  static AgentCommand of(
      ClaudeOptions options,
      ClaudeSession session,
      ClaudeHome home,
      AgentRunRequest request,
      BackendContext context) {
    return new AgentCommand(
        argv(options, session, context.settings()),
        request.workingDir(),
        environment(options, home, request, context),
        new Stdin.Open());
  }

  private static List<String> argv(
      ClaudeOptions options, ClaudeSession session, AgentSettings.Agent settings) {
    List<String> argv = new ArrayList<>();
    argv.add(Objects.requireNonNullElse(settings.program(), PROGRAM));
    argv.addAll(settings.args());
    argv.addAll(
        WorkspaceTrust.arguments(
            settings.grants(), "--setting-sources", "user", "--strict-mcp-config"));
    argv.addAll(
        List.of(
            "--print",
            "--input-format",
            "stream-json",
            "--output-format",
            "stream-json",
            "--verbose",
            "--include-partial-messages",
            "--replay-user-messages"));
    switch (options.permissions()) {
      case ASKED ->
          argv.addAll(List.of("--permission-prompt-tool", "stdio", "--permission-mode", "default"));
      case ALONE -> argv.addAll(List.of("--permission-mode", "acceptEdits"));
      case EXTERNAL -> argv.add("--dangerously-skip-permissions");
    }
    model(options, settings).ifPresent(model -> argv.addAll(List.of("--model", model)));
    for (Path dir : options.addDirs()) {
      argv.addAll(List.of("--add-dir", dir.toString()));
    }
    if (session instanceof ClaudeSession.Known(String id, boolean fork)) {
      argv.addAll(List.of("--resume", id));
      if (fork) {
        argv.add("--fork-session");
      }
    }
    return argv;
  }

  static Optional<String> model(ClaudeOptions options, AgentSettings.Agent settings) {
    return options.model().or(() -> Optional.ofNullable(settings.model()));
  }

  private static Map<String, String> environment(
      ClaudeOptions options, ClaudeHome home, AgentRunRequest request, BackendContext context) {
    AgentSettings.Agent settings = context.settings();
    Map<String, String> operators = new HashMap<>(context.baseEnv());
    operators.putAll(WorkspaceTrust.variables(settings.grants()));
    operators.put("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1");
    operators.put("DISABLE_AUTOUPDATER", "1");
    operators.put("CLAUDE_CODE_MAX_RETRIES", String.valueOf(MODEL_RETRIES_MAX));
    String endpoint = settings.endpoint();
    if (endpoint != null) {
      operators.put(ENDPOINT, base(endpoint));
    }
    operators.putAll(settings.env());
    context.apiKey().ifPresent(key -> operators.put(KEY, key));
    Map<String, String> environment = context.merged(operators, request);
    if (options.permissions() == ClaudeOptions.Permissions.EXTERNAL) {
      environment.put("IS_SANDBOX", "1");
    }
    environment.put(HOME, home.path().toString());
    environment.put(CONFIG_DIR, home.config().toString());
    return environment;
  }

  /// Claude Code adds the version to the address itself.
  private static String base(String endpoint) {
    String bare = endpoint.endsWith("/") ? endpoint.substring(0, endpoint.length() - 1) : endpoint;
    return bare.endsWith(VERSION_PATH)
        ? bare.substring(0, bare.length() - VERSION_PATH.length())
        : bare;
  }
}
