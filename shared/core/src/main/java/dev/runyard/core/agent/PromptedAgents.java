package dev.runyard.core.agent;

import java.util.List;
import java.util.stream.Stream;

/// The manifests of CLIs that can ask nobody while they work.
public final class PromptedAgents {
  public static final AgentKind COPILOT = new AgentKind("copilot");
  public static final AgentKind GEMINI_CLI = new AgentKind("gemini_cli");
  public static final AgentKind OPENCODE = new AgentKind("opencode");
  public static final AgentKind PI = new AgentKind("pi");
  public static final AgentKind QWEN = new AgentKind("qwen");

  /// Of opencode's conversations none can go on in another folder than the one it began in.
  private static final ExtensionDefinition RESUME = StandardExtensions.sessionResume();

  /// What agents can that count the tokens of each call of their model when it was made.
  private static final String[] METERED = {Capabilities.TURN_LIMIT, Capabilities.TOKEN_LIMIT};

  private PromptedAgents() {}

  static List<AgentManifest> all() {
    return List.of(
        manifest(COPILOT, "GitHub Copilot CLI", "GitHub's coding agent, run as `copilot`.", RESUME),
        manifest(GEMINI_CLI, "Gemini CLI", "Google's coding agent, run as `gemini`.", RESUME),
        manifest(OPENCODE, "opencode", "An open coding agent, run as `opencode run`.")
            .with(METERED),
        manifest(PI, "pi", "A small open coding agent, run as `pi --mode rpc`.", RESUME)
            .with(METERED)
            .with(Capabilities.MESSAGE),
        manifest(QWEN, "Qwen Code", "The coding agent of the Qwen models, run as `qwen`.", RESUME)
            .with(METERED));
  }

  private static AgentManifest manifest(
      AgentKind kind, String title, String description, ExtensionDefinition... more) {
    return new AgentManifest(
        kind,
        title,
        description,
        Capabilities.ofACli(),
        Stream.concat(
                Stream.of(StandardExtensions.model(), StandardExtensions.approval(kind)),
                Stream.of(more))
            .toList(),
        List.of());
  }
}
