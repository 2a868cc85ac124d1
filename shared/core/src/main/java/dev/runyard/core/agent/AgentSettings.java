package dev.runyard.core.agent;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.problem.Pointer;
import dev.runyard.core.secret.SecretSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What the operator says about agents: the document `{"hook_secrets": {"<name>": "<source>"},
/// "agents": {"<kind>": {"program", "args", "env", "endpoint", "model", "api_key", "api_key_env",
/// "expose_key", "allow", "request_env", "secrets", "trust_workspace", "network", "git_hosts",
/// "git_host_keys", "git_forges", "prices", "models", "api", "command", "acp"}}}`. An agent that is
/// not named runs with its backend's own defaults. A broken document throws, which stops the
/// process at its start; no message repeats a value of it.
public final class AgentSettings {
  public static final AgentSettings NONE = new AgentSettings(Map.of(), Map.of());

  /// The member by which the operator lets an agent hold the key of its model provider.
  private static final String EXPOSE_KEY = "expose_key";

  /// The member that lists the secrets which other systems' webhooks are signed with.
  private static final String HOOK_SECRETS = "hook_secrets";

  private static final Set<String> MEMBERS =
      Set.of(
          "program",
          "args",
          "env",
          "endpoint",
          "model",
          "api_key_env",
          ModelTerms.API_KEY,
          EXPOSE_KEY,
          "allow",
          RequestEnv.MEMBER,
          RequestSecrets.MEMBER,
          Grants.TRUST_WORKSPACE,
          Grants.NETWORK,
          GitServers.HOSTS,
          GitServers.KEYS,
          GitForges.MEMBER,
          "prices",
          "models",
          "api",
          "command",
          "acp");
  private static final ObjectReader READER =
      JsonFormat.JSON
          .reader()
          .with(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private final Map<String, Agent> byKind;
  private final Map<String, DescribedAgent> described;

  private AgentSettings(Map<String, Agent> byKind, Map<String, DescribedAgent> described) {
    this.byKind = Map.copyOf(byKind);
    this.described = Map.copyOf(described);
  }

  /// The agents that the document itself describes, by kind.
  public List<DescribedAgent> described() {
    return new TreeMap<>(described).values().stream().toList();
  }

  /// True if the document, whatever else is wrong with it, limits what some agent reaches.
  public static boolean namesNetwork(String document) {
    JsonNode agents = json(document).path("agents");
    return agents.properties().stream().anyMatch(agent -> agent.getValue().has(Grants.NETWORK));
  }

  /// The programs that the document names, whatever else is wrong with it.
  public static List<String> programs(String document) {
    return json(document).path("agents").properties().stream()
        .map(agent -> agent.getValue().path("program").asText())
        .filter(program -> !program.isEmpty())
        .toList();
  }

  /// The files that the document names for secrets, whatever else is wrong with it.
  public static List<String> secretFiles(String document) {
    List<String> files = new ArrayList<>();
    addSecretFiles(json(document), files);
    return List.copyOf(files);
  }

  private static void addSecretFiles(JsonNode node, List<String> files) {
    if (SecretSource.read(node.asText()).orElse(null)
        instanceof SecretSource.PrivateFile(String path)) {
      files.add(path);
    }
    node.forEach(inner -> addSecretFiles(inner, files));
  }

  /// The secrets that hooks may name.
  ///
  /// @throws IllegalArgumentException naming the member that is wrong
  public static RequestSecrets hookSecrets(String document) {
    return RequestSecrets.read(json(document), "", HOOK_SECRETS);
  }

  /// Settings of one agent.
  ///
  /// @param program the executable, null for the backend's own
  /// @param args put before the arguments the backend makes
  /// @param env the agent's environment
  /// @param endpoint base address of the model's API
  /// @param model the model of requests that name none
  /// @param apiKeyEnv name of the variable that holds the API key: the agent's, and the runner's
  ///   unless another place is named
  /// @param grants what requests may do only if it is allowed here
  /// @param prices what the tokens of its models cost
  /// @param models which models it may call, and how
  public record Agent(
      @Nullable String program,
      List<String> args,
      Map<String, String> env,
      @Nullable String endpoint,
      @Nullable String model,
      @Nullable String apiKeyEnv,
      Grants grants,
      Prices prices,
      ModelTerms models) {
    private static final int SECRET_CHARS_MIN = 12;
    public static final Agent DEFAULT = new Agent(null, List.of(), Map.of(), null, null, null);

    public Agent {
      args = List.copyOf(args);
      env = Map.copyOf(env);
    }

    /// The same behind the model gateway: another endpoint, and no variable with the provider's
    /// key.
    ///
    /// @param key the provider's
    public Agent behind(String gateway, Optional<String> key) {
      Map<String, String> shown = new TreeMap<>(env);
      key.ifPresent(secret -> shown.values().removeIf(value -> shows(value, secret)));
      return new Agent(program, args, shown, gateway, model, apiKeyEnv, grants, prices, models);
    }

    /// The same for a run whose agent may reach this.
    public Agent reaching(NetworkAccess access) {
      return new Agent(
          program, args, env, endpoint, model, apiKeyEnv, grants.reaching(access), prices, models);
    }

    /// A key that is as short as a word may stand in a value by chance.
    private static boolean shows(String value, String secret) {
      return value.equals(secret)
          || (secret.length() >= SECRET_CHARS_MIN && value.contains(secret));
    }

    /// Settings without prices.
    public Agent(
        @Nullable String program,
        List<String> args,
        Map<String, String> env,
        @Nullable String endpoint,
        @Nullable String model,
        @Nullable String apiKeyEnv,
        Grants grants) {
      this(program, args, env, endpoint, model, apiKeyEnv, grants, Prices.NONE, ModelTerms.NONE);
    }

    /// Settings that allow nothing out of the ordinary.
    public Agent(
        @Nullable String program,
        List<String> args,
        Map<String, String> env,
        @Nullable String endpoint,
        @Nullable String model,
        @Nullable String apiKeyEnv) {
      this(program, args, env, endpoint, model, apiKeyEnv, Grants.NONE);
    }

    /// Where the key of its model provider is kept, if the operator says so.
    public Optional<SecretSource> keySource() {
      return models.key().or(() -> Optional.ofNullable(apiKeyEnv).map(SecretSource.Variable::new));
    }

    /// Keys and values of extensions that are allowed.
    public Set<String> allow() {
      return grants.allow();
    }
  }

  public Agent of(AgentKind kind) {
    return Objects.requireNonNullElse(byKind.get(kind.name()), Agent.DEFAULT);
  }

  /// Reads the document.
  ///
  /// @throws IllegalArgumentException naming the member that is wrong
  public static AgentSettings parse(String document, AgentCatalog catalog) {
    JsonNode root = json(document);
    object(root, "", Set.of("agents", HOOK_SECRETS));
    RequestSecrets.read(root, "", HOOK_SECRETS);
    Map<String, Agent> agents = new TreeMap<>();
    Map<String, DescribedAgent> described = new TreeMap<>();
    JsonNode named = root.path("agents");
    if (named.isMissingNode()) {
      return NONE;
    }
    object(named, "/agents", Set.of());
    for (Map.Entry<String, JsonNode> entry : named.properties()) {
      String at = Pointer.of("agents", entry.getKey());
      object(entry.getValue(), at, MEMBERS);
      boolean describes = entry.getValue().has("command") || entry.getValue().has("acp");
      if (catalog.find(entry.getKey()).isPresent() == describes) {
        throw wrong(
            at,
            describes
                ? "is a known agent, which needs neither command nor acp"
                : "is not a known agent; describe it with command or acp");
      }
      if (describes) {
        described.put(entry.getKey(), described(entry.getKey(), entry.getValue(), at));
      }
      AgentManifest manifest =
          describes
              ? Objects.requireNonNull(described.get(entry.getKey())).manifest()
              : catalog.find(entry.getKey()).orElseThrow();
      agents.put(entry.getKey(), agent(manifest, entry.getValue(), at));
    }
    return new AgentSettings(agents, described);
  }

  private static DescribedAgent described(String kind, JsonNode agent, String at) {
    if (!AgentKind.isKind(kind)) {
      throw wrong(at, "is not a valid agent name");
    }
    if (!agent.has("program")) {
      throw wrong(at + "/program", "must be set for command or acp");
    }
    if (agent.has("command") && agent.has("acp")) {
      throw wrong(at, "has both command and acp");
    }
    return agent.has("acp")
        ? ClientProtocolTemplate.read(new AgentKind(kind), agent.path("acp"), at + "/acp")
        : CommandReader.read(new AgentKind(kind), agent.path("command"), at + "/command");
  }

  private static Agent agent(AgentManifest manifest, JsonNode node, String at) {
    Agent agent =
        new Agent(
            text(node, at, "program").orElse(null),
            texts(node.path("args"), at + "/args"),
            environment(node.path("env"), at + "/env"),
            text(node, at, "endpoint").orElse(null),
            text(node, at, "model").orElse(null),
            text(node, at, "api_key_env").orElse(null),
            Grants.read(manifest, node, at),
            Prices.read(node.path("prices"), at + "/prices"),
            ModelTerms.read(manifest.kind(), node, at));
    if (agent.endpoint() != null && !ModelRoute.isAddress(agent.endpoint())) {
      throw wrong(at + "/endpoint", "must be an address: http or https, no user, no query");
    }
    if (!agent.models().allowed().isEmpty() && ModelRoute.of(manifest.kind(), agent).isEmpty()) {
      throw wrong(at + "/models", "needs an endpoint, and its api if this agent's is not known");
    }
    boolean holdsKey = agent.apiKeyEnv() != null && ModelRoute.of(manifest.kind(), agent).isEmpty();
    if (!flag(node, at, EXPOSE_KEY) && holdsKey) {
      throw wrong(
          at + "/" + EXPOSE_KEY,
          "must be true for an agent that is to hold its key; with an endpoint it needs none");
    }
    return agent;
  }

  private static JsonNode json(String document) {
    try {
      return READER.readTree(document);
    } catch (JacksonException e) {
      String place = e.getLocation() == null ? "" : " near line " + e.getLocation().getLineNr();
      throw new IllegalArgumentException("The agents document is not JSON" + place + ".");
    }
  }

  static void object(JsonNode node, String at, Set<String> members) {
    if (!node.isObject()) {
      throw wrong(at, "must be an object");
    }
    for (Map.Entry<String, JsonNode> entry : node.properties()) {
      if (!members.isEmpty() && !members.contains(entry.getKey())) {
        throw wrong(Pointer.child(at, entry.getKey()), "is not a known member");
      }
    }
  }

  static Optional<String> text(JsonNode node, String at, String member) {
    JsonNode value = node.path(member);
    if (value.isMissingNode()) {
      return Optional.empty();
    }
    if (!value.isTextual() || value.textValue().isBlank()) {
      throw wrong(at + "/" + member, "must be a string that is not blank");
    }
    return Optional.of(value.textValue());
  }

  static boolean flag(JsonNode node, String at, String member) {
    JsonNode value = node.path(member);
    if (!value.isMissingNode() && !value.isBoolean()) {
      throw wrong(at + "/" + member, "must be true or false");
    }
    return value.asBoolean();
  }

  static List<String> texts(JsonNode node, String at) {
    List<String> texts = new ArrayList<>();
    if (!node.isMissingNode() && !node.isArray()) {
      throw wrong(at, "must be a list of strings");
    }
    for (JsonNode value : node) {
      if (!value.isTextual()) {
        throw wrong(at + "/" + texts.size(), "must be a string");
      }
      texts.add(value.textValue());
    }
    return texts;
  }

  static Map<String, String> environment(JsonNode node, String at) {
    Map<String, String> env = new TreeMap<>();
    if (node.isMissingNode()) {
      return env;
    }
    object(node, at, Set.of());
    for (Map.Entry<String, JsonNode> entry : node.properties()) {
      if (!entry.getValue().isTextual()) {
        throw wrong(Pointer.child(at, entry.getKey()), "must be a string");
      }
      env.put(entry.getKey(), entry.getValue().textValue());
    }
    return env;
  }

  static IllegalArgumentException wrong(String at, String what) {
    return new IllegalArgumentException(
        "The agents document is wrong: %s %s.".formatted(at.isEmpty() ? "the root" : at, what));
  }
}
