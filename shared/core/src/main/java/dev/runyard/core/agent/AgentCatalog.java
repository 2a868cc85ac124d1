package dev.runyard.core.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/// The kinds of agents that can be asked for. API and runner read the same catalogue, so what the
/// API accepts the runner can start.
public final class AgentCatalog {
  public static final AgentKind CODEX = new AgentKind("codex");
  public static final AgentKind ECHO = new AgentKind("echo");

  public static final String CODEX_SANDBOX_MODE = "backend.codex.exec.sandbox_mode";
  public static final String CODEX_APPROVAL_POLICY = "backend.codex.exec.approval_policy";
  public static final String ECHO_EVENTS = "backend.echo.events";
  public static final String ECHO_INTERVAL_MILLIS = "backend.echo.interval_millis";
  public static final String ECHO_FAIL = "backend.echo.fail";

  public static final int MODEL_BYTES_MAX = StandardExtensions.MODEL_BYTES_MAX;
  public static final int ECHO_EVENTS_MAX = 100_000;
  public static final int ECHO_INTERVAL_MILLIS_MAX = 60_000;

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private final SortedMap<String, AgentManifest> byKind;
  private final AgentSettings settings;

  /// Agents of which nothing is allowed that the operator has to allow.
  public AgentCatalog(Collection<AgentManifest> manifests) {
    this(manifests, AgentSettings.NONE);
  }

  private AgentCatalog(Collection<AgentManifest> manifests, AgentSettings settings) {
    this.settings = settings;
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
        Stream.concat(
                AgentCli.allAgents().stream().map(AgentCli.Agent::manifest), Stream.of(echo()))
            .toList());
  }

  /// The catalogue with what the operator allows, and the agents the operator describes.
  public AgentCatalog granted(AgentSettings settings) {
    return new AgentCatalog(
        Stream.concat(
                byKind.values().stream(),
                settings.described().stream().map(DescribedAgent::manifest))
            .map(manifest -> granted(manifest, settings.of(manifest.kind())))
            .toList(),
        settings);
  }

  /// The manifest with what the operator allows, with limits on what its model calls use if they
  /// pass the model gateway, and with a cost limit if every token has a price.
  public static AgentManifest granted(AgentManifest manifest, AgentSettings.Agent settings) {
    AgentManifest allowed =
        manifest.with(
            Stream.concat(
                    grantable(manifest.kind()).stream()
                        .filter(extension -> settings.allow().contains(extension.key())),
                    settings.grants().network().map(StandardExtensions::network).stream())
                .toList(),
            settings.allow());
    if (ModelRoute.of(manifest.kind(), settings).isPresent()) {
      allowed =
          allowed.with(
              Capabilities.MODEL_GATEWAY, Capabilities.TOKEN_LIMIT, Capabilities.TURN_LIMIT);
    }
    boolean priced =
        settings.prices().complete() && allowed.capabilities().contains(Capabilities.TOKEN_LIMIT);
    return priced ? allowed.with(Capabilities.COST_LIMIT) : allowed;
  }

  /// What the operator can allow of an agent: extensions by their keys, and values of extensions.
  public static List<String> grants(AgentManifest manifest) {
    return Stream.concat(
            grantable(manifest.kind()).stream().map(ExtensionDefinition::key),
            manifest.extensions().stream().flatMap(extension -> extension.grants().stream()))
        .toList();
  }

  private static List<ExtensionDefinition> grantable(AgentKind kind) {
    return AgentCli.find(kind).map(AgentCli.Agent::grantable).orElse(List.of());
  }

  /// What the operator allows of this kind of agent.
  public Grants grants(String kind) {
    return AgentKind.isKind(kind) ? settings.of(new AgentKind(kind)).grants() : Grants.NONE;
  }

  public Optional<AgentManifest> find(String kind) {
    return Optional.ofNullable(byKind.get(kind));
  }

  /// All manifests, by kind.
  public List<AgentManifest> all() {
    return List.copyOf(byKind.values());
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

  private static ExtensionDefinition whole(
      String key, long min, long max, long byDefault, String meaning) {
    JsonNode value = JSON.numberNode(byDefault);
    return new ExtensionDefinition(key, new ExtensionType.Whole(min, max), value, meaning);
  }
}
