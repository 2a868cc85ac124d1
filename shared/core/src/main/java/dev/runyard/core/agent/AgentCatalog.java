package dev.runyard.core.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/// The kinds of agents that can be asked for. API and runner read the same catalogue, so what the
/// API accepts the runner can start.
public final class AgentCatalog {
  public static final AgentKind CLAUDE_CODE = new AgentKind("claude_code");
  public static final AgentKind CODEX = new AgentKind("codex");
  public static final AgentKind ECHO = new AgentKind("echo");

  public static final String CLAUDE_PRINT_STREAM = "backend.claude_code.print_stream_json";
  public static final String CODEX_EXEC_STREAM = "backend.codex.exec_stream";
  public static final String CODEX_SANDBOX_MODE = "backend.codex.exec.sandbox_mode";
  public static final String CODEX_APPROVAL_POLICY = "backend.codex.exec.approval_policy";
  public static final String ECHO_EVENTS = "backend.echo.events";
  public static final String ECHO_INTERVAL_MILLIS = "backend.echo.interval_millis";
  public static final String ECHO_FAIL = "backend.echo.fail";

  public static final int MODEL_BYTES_MAX = StandardExtensions.MODEL_BYTES_MAX;
  public static final int ECHO_EVENTS_MAX = 100_000;
  public static final int ECHO_INTERVAL_MILLIS_MAX = 60_000;

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /// What an agent understands but offers only where the operator allows it.
  private static final Map<AgentKind, List<ExtensionDefinition>> GRANTABLE =
      Map.of(
          CLAUDE_CODE, List.of(StandardExtensions.externalSandbox(), StandardExtensions.addDirs()),
          CODEX, List.of(StandardExtensions.externalSandbox(), StandardExtensions.addDirs()));

  private final SortedMap<String, AgentManifest> byKind;

  public AgentCatalog(Collection<AgentManifest> manifests) {
    SortedMap<String, AgentManifest> all = new TreeMap<>();
    for (AgentManifest manifest : manifests) {
      if (all.put(manifest.kind().name(), manifest) != null) {
        throw new IllegalArgumentException("two agents of kind " + manifest.kind());
      }
    }
    byKind = Collections.unmodifiableSortedMap(all);
  }

  /// The agents that come with Runyard.
  public static AgentCatalog builtIn() {
    return new AgentCatalog(
        Stream.of(
                List.of(claudeCode(), codex(), echo()),
                PromptedAgents.all(),
                ClientProtocolAgents.all())
            .flatMap(List::stream)
            .toList());
  }

  /// The catalogue with what the operator allows, and the agents the operator describes.
  public AgentCatalog granted(AgentSettings settings) {
    return new AgentCatalog(
        Stream.concat(
                byKind.values().stream()
                    .map(manifest -> granted(manifest, settings.of(manifest.kind()))),
                settings.described().stream().map(DescribedAgent::manifest))
            .toList());
  }

  /// The manifest with what the operator allows, and with what a price of every token makes
  /// possible.
  public static AgentManifest granted(AgentManifest manifest, AgentSettings.Agent settings) {
    boolean priced =
        settings.prices().complete() && manifest.capabilities().contains(Capabilities.TOKEN_LIMIT);
    AgentManifest allowed =
        manifest.with(
            grantable(manifest.kind()).stream()
                .filter(extension -> settings.allow().contains(extension.key()))
                .toList());
    return priced ? allowed.with(Capabilities.COST_LIMIT) : allowed;
  }

  static List<ExtensionDefinition> grantable(AgentKind kind) {
    return GRANTABLE.getOrDefault(kind, List.of());
  }

  public Optional<AgentManifest> find(String kind) {
    return Optional.ofNullable(byKind.get(kind));
  }

  /// All manifests, by kind.
  public List<AgentManifest> all() {
    return List.copyOf(byKind.values());
  }

  private static AgentManifest claudeCode() {
    return new AgentManifest(
        CLAUDE_CODE,
        "Claude Code",
        "Anthropic's coding agent, run as `claude --print` and talked to while it works.",
        Capabilities.ofACli(
            Capabilities.MESSAGE,
            Capabilities.TURN_LIMIT,
            Capabilities.TOKEN_LIMIT,
            CLAUDE_PRINT_STREAM),
        List.of(
            StandardExtensions.model(),
            StandardExtensions.nonInteractive(),
            StandardExtensions.sessionResume(),
            StandardExtensions.sessionFork()),
        List.of());
  }

  private static AgentManifest codex() {
    return new AgentManifest(
        CODEX,
        "Codex CLI",
        "OpenAI's coding agent. An interactive run asks before it acts, takes messages and tells"
            + " its text as it is written.",
        Capabilities.ofACli(Capabilities.TURN_LIMIT, Capabilities.TOKEN_LIMIT, CODEX_EXEC_STREAM),
        List.of(
            StandardExtensions.model(),
            StandardExtensions.nonInteractive(),
            StandardExtensions.sessionResume(),
            StandardExtensions.sessionFork(),
            new ExtensionDefinition(
                CODEX_SANDBOX_MODE,
                choice("read-only", "workspace-write", "danger-full-access"),
                JSON.textNode("workspace-write"),
                "What the agent's commands may change."),
            new ExtensionDefinition(
                CODEX_APPROVAL_POLICY,
                choice("untrusted", "on-failure", "on-request", "never"),
                null,
                "When the agent asks before it acts: never in a run that asks nobody, else"
                    + " untrusted unless given. on-failure means on-request.")),
        List.of(
            new ExtensionRule(
                CODEX_APPROVAL_POLICY,
                JSON.textNode("never"),
                Capabilities.NON_INTERACTIVE,
                JSON.booleanNode(true))),
        AgentCard.ANYTHING,
        new TreeSet<>(List.of(Capabilities.MESSAGE)));
  }

  private static AgentManifest echo() {
    return new AgentManifest(
        ECHO,
        "Echo",
        "Repeats the prompt, without a model. For trying out, tests and measurements.",
        new TreeSet<>(
            List.of(
                Capabilities.RUN,
                Capabilities.EVENTS,
                Capabilities.EVENTS_LIVE,
                Capabilities.CANCEL,
                Capabilities.FINAL_TEXT)),
        List.of(
            whole(
                ECHO_EVENTS,
                1,
                ECHO_EVENTS_MAX,
                1,
                "How many text events the answer has; each is the prompt."),
            whole(
                ECHO_INTERVAL_MILLIS,
                0,
                ECHO_INTERVAL_MILLIS_MAX,
                0,
                "Milliseconds between two text events."),
            new ExtensionDefinition(
                ECHO_FAIL,
                new ExtensionType.Flag(),
                JSON.booleanNode(false),
                "Whether the run ends as failed after its last text event.")),
        List.of());
  }

  private static ExtensionType choice(String... values) {
    return new ExtensionType.Choice(List.of(values));
  }

  private static ExtensionDefinition whole(
      String key, long min, long max, long byDefault, String meaning) {
    JsonNode value = JSON.numberNode(byDefault);
    return new ExtensionDefinition(key, new ExtensionType.Whole(min, max), value, meaning);
  }
}
