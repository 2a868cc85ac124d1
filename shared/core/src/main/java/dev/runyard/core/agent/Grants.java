package dev.runyard.core.agent;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What the operator allows requests to an agent. Nothing of it is possible unless it is allowed.
///
/// @param allow keys of extensions, and values of extensions as [#of] writes them
/// @param requestEnv which variables requests may set
/// @param trustWorkspace whether files of the workspace may configure the agent
/// @param secrets which secrets requests may name
/// @param network what the agent may reach; empty for all that its runner reaches, with no say for
///   requests
/// @param gitServers where repositories may come from
/// @param forges which of them take pull requests
public record Grants(
    Set<String> allow,
    RequestEnv requestEnv,
    boolean trustWorkspace,
    RequestSecrets secrets,
    Optional<NetworkAccess> network,
    GitServers gitServers,
    GitForges forges) {
  /// The member of an agent in the operator's document that lets its workspace configure it.
  public static final String TRUST_WORKSPACE = "trust_workspace";

  /// The member of an agent in the operator's document that limits what it reaches.
  public static final String NETWORK = "network";

  /// Nothing is allowed.
  public static final Grants NONE = new Grants(Set.of(), RequestEnv.NONE, false);

  public Grants {
    allow = Set.copyOf(allow);
  }

  /// Grants without pull requests, except to the servers that everybody knows.
  public Grants(
      Set<String> allow,
      RequestEnv requestEnv,
      boolean trustWorkspace,
      RequestSecrets secrets,
      Optional<NetworkAccess> network,
      GitServers gitServers) {
    this(allow, requestEnv, trustWorkspace, secrets, network, gitServers, GitForges.NONE);
  }

  /// Grants without secrets that leave the network open.
  public Grants(Set<String> allow, RequestEnv requestEnv, boolean trustWorkspace) {
    this(allow, requestEnv, trustWorkspace, RequestSecrets.NONE, Optional.empty(), GitServers.ANY);
  }

  /// Only these extensions and values.
  public static Grants of(Set<String> allow) {
    return new Grants(allow, RequestEnv.NONE, false);
  }

  /// The same with what the agent of one run may reach.
  Grants reaching(NetworkAccess access) {
    return new Grants(
        allow, requestEnv, trustWorkspace, secrets, Optional.of(access), gitServers, forges);
  }

  /// True if the agent may not reach all that its runner reaches.
  public boolean confines() {
    return network.filter(NetworkAccess::confines).isPresent();
  }

  /// The grant of one value of an extension.
  public static String of(String key, String value) {
    return key + "=" + value;
  }

  /// Reads the members of an agent in the operator's document.
  ///
  /// @param at the agent's place in the document
  static Grants read(AgentManifest manifest, JsonNode agent, String at) {
    return new Grants(
        allowed(manifest, agent, at),
        RequestEnv.read(agent.path(RequestEnv.MEMBER), at + "/" + RequestEnv.MEMBER),
        AgentSettings.flag(agent, at, TRUST_WORKSPACE),
        RequestSecrets.read(agent, at),
        network(agent.path(NETWORK), at + "/" + NETWORK),
        GitServers.read(agent, at),
        GitForges.read(agent, at));
  }

  static Optional<NetworkAccess> network(JsonNode value, String at) {
    if (value.isMissingNode()) {
      return Optional.empty();
    }
    Optional<NetworkAccess> access = NetworkAccess.read(value);
    if (access.isEmpty()) {
      throw AgentSettings.wrong(
          at, "must be open, none, or a list of 1 to %d hosts".formatted(NetworkAccess.HOSTS_MAX));
    }
    return access;
  }

  private static Set<String> allowed(AgentManifest manifest, JsonNode agent, String at) {
    List<String> named = AgentSettings.texts(agent.path("allow"), at + "/allow");
    List<String> known = AgentCatalog.grants(manifest);
    for (int i = 0; i < named.size(); i++) {
      if (!known.contains(named.get(i))) {
        throw AgentSettings.wrong(at + "/allow/" + i, "is nothing that can be allowed");
      }
    }
    return Set.copyOf(named);
  }
}
