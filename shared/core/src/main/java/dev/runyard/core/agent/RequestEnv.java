package dev.runyard.core.agent;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// The variables that requests to an agent may set: those the operator lists, and no others. An
/// entry is a name, or what names begin with followed by `*`, such as `CI_*`.
///
/// What begins with a prefix is allowed except for names that can take over a process
/// ([EnvNames#takesOver]): those must be listed in full. A variable that the operator sets as well
/// keeps the operator's value, unless it is listed in full.
public record RequestEnv(Set<String> names, Set<String> prefixes) {
  /// The member of an agent in the operator's document.
  public static final String MEMBER = "request_env";

  /// No variable at all.
  public static final RequestEnv NONE = new RequestEnv(Set.of(), Set.of());

  private static final String ANY = "*";

  public RequestEnv {
    names = Set.copyOf(names);
    prefixes = Set.copyOf(prefixes);
  }

  /// These entries.
  ///
  /// @throws IllegalArgumentException if one is none
  public static RequestEnv of(List<String> entries) {
    Map<Boolean, Set<String>> parts =
        entries.stream()
            .collect(Collectors.partitioningBy(entry -> entry.endsWith(ANY), Collectors.toSet()));
    return new RequestEnv(
        parts.getOrDefault(false, Set.of()),
        parts.getOrDefault(true, Set.of()).stream()
            .map(entry -> entry.substring(0, entry.length() - 1))
            .collect(Collectors.toSet()));
  }

  /// True if requests may set a variable of this name.
  public boolean allows(String name) {
    return names.contains(name)
        || (!EnvNames.takesOver(name) && prefixes.stream().anyMatch(name::startsWith));
  }

  /// The first of these variables that requests must not set.
  public Optional<String> refused(Map<String, String> given) {
    return given.keySet().stream().sorted().filter(name -> !allows(name)).findFirst();
  }

  /// Why a request is refused that sets another variable.
  public static String refusal(AgentKind kind) {
    return "Requests to %s may set only variables that the operator lists as %s in the agents file"
        .formatted(kind.name(), MEMBER);
  }

  /// The environment of an agent's process. Of the request's variables it has those that are
  /// allowed; the operator's override them, except for those whose full names are allowed.
  ///
  /// @param operators made by the runner and the operator
  /// @param given by the request
  public Map<String, String> merge(Map<String, String> operators, Map<String, String> given) {
    Map<String, String> merged = new TreeMap<>(operators);
    given.forEach(
        (name, value) -> {
          if (names.contains(name)) {
            merged.put(name, value);
          } else if (allows(name)) {
            merged.putIfAbsent(name, value);
          }
        });
    return merged;
  }

  /// Reads the member of an agent in the operator's document.
  static RequestEnv read(JsonNode node, String at) {
    List<String> entries = AgentSettings.texts(node, at);
    for (int i = 0; i < entries.size(); i++) {
      if (!isEntry(entries.get(i))) {
        throw AgentSettings.wrong(
            at + "/" + i, "must be the name of a variable, or what names begin with up to _*");
      }
    }
    return of(entries);
  }

  private static boolean isEntry(String entry) {
    return entry.endsWith("_" + ANY)
        ? EnvNames.isName(entry.substring(0, entry.length() - 1)) && entry.length() > 2
        : EnvNames.isName(entry);
  }
}
