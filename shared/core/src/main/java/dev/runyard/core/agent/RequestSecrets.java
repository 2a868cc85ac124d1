package dev.runyard.core.agent;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.secret.SecretSource;
import java.util.Map;
import java.util.TreeMap;

/// The secrets that requests to an agent may name as values of their variables: those the operator
/// lists, and no others.
///
/// @param sources where the runner finds each
public record RequestSecrets(Map<String, SecretSource> sources) {
  /// The member of an agent in the operator's document.
  public static final String MEMBER = "secrets";

  /// In a request, the member of a variable that names its secret.
  public static final String SECRET = "secret";

  /// No secret at all.
  public static final RequestSecrets NONE = new RequestSecrets(Map.of());

  public RequestSecrets {
    sources = Map.copyOf(sources);
  }

  /// True if requests may name this secret.
  public boolean allows(String name) {
    return sources.containsKey(name);
  }

  /// Why a request is refused that names another secret.
  public static String refusal(AgentKind kind) {
    return "Requests to %s may name only secrets that the operator lists as %s in the agents file"
        .formatted(kind.name(), MEMBER);
  }

  /// Reads the member of an agent in the operator's document.
  static RequestSecrets read(JsonNode agent, String at) {
    return read(agent, at, MEMBER);
  }

  /// The same of a member with another name.
  static RequestSecrets read(JsonNode holder, String at, String member) {
    Map<String, SecretSource> sources = new TreeMap<>();
    AgentSettings.environment(holder.path(member), at + "/" + member)
        .forEach(
            (name, text) -> {
              SecretSource source = SecretSource.read(text).orElse(null);
              if (!EnvNames.isName(name) || source == null) {
                throw AgentSettings.wrong(
                    at + "/" + member,
                    "must give each secret a name like a variable's, and " + SecretSource.FORMS);
              }
              sources.put(name, source);
            });
    return new RequestSecrets(sources);
  }
}
