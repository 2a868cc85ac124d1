package dev.runyard.core.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.problem.Pointer;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What a kind of agent offers. A request is checked against it before anything is queued, and
/// again by the runner before anything is started. The keys of the extensions are capabilities too,
/// without being named twice, and the standard contradictions are rules of every manifest.
///
/// @param whenInteractive additional capabilities of a run whose [Capabilities#NON_INTERACTIVE] is
///   false
public record AgentManifest(
    AgentKind kind,
    String title,
    String description,
    SortedSet<String> capabilities,
    List<ExtensionDefinition> extensions,
    List<ExtensionRule> rules,
    AgentCard card,
    SortedSet<String> whenInteractive) {

  /// An agent whose runs all have the same capabilities.
  public AgentManifest(
      AgentKind kind,
      String title,
      String description,
      SortedSet<String> capabilities,
      List<ExtensionDefinition> extensions,
      List<ExtensionRule> rules,
      AgentCard card) {
    this(kind, title, description, capabilities, extensions, rules, card, new TreeSet<>());
  }

  /// An agent that accepts and produces content of any type.
  public AgentManifest(
      AgentKind kind,
      String title,
      String description,
      SortedSet<String> capabilities,
      List<ExtensionDefinition> extensions,
      List<ExtensionRule> rules) {
    this(kind, title, description, capabilities, extensions, rules, AgentCard.ANYTHING);
  }

  public AgentManifest {
    Objects.requireNonNull(card);
    Objects.requireNonNull(title);
    Objects.requireNonNull(description);
    extensions = List.copyOf(extensions);
    rules =
        Stream.concat(rules.stream(), StandardExtensions.rules(extensions).stream())
            .distinct()
            .toList();
    SortedSet<String> all = new TreeSet<>(capabilities);
    extensions.forEach(extension -> all.add(extension.key()));
    whenInteractive = Collections.unmodifiableSortedSet(new TreeSet<>(whenInteractive));
    for (String id : union(all, whenInteractive)) {
      if (!Capabilities.belongsTo(kind, id)) {
        throw new IllegalArgumentException(id + " is not a capability of " + kind);
      }
    }
    if (!all.contains(Capabilities.RUN) || !all.contains(Capabilities.EVENTS)) {
      throw new IllegalArgumentException("every agent runs and reports events: " + kind);
    }
    capabilities = Collections.unmodifiableSortedSet(all);
  }

  /// What a run with these extensions can do.
  public SortedSet<String> capabilitiesOf(Map<String, JsonNode> given) {
    return Capabilities.interactive(given) ? union(capabilities, whenInteractive) : capabilities;
  }

  /// Checks a request's extensions and required capabilities: every id first, then the values, then
  /// contradictions (DR-0008).
  public Result check(Map<String, JsonNode> given, Collection<String> requires) {
    Optional<Problem> unsupported = unsupported(given, requires);
    if (unsupported.isPresent()) {
      return new Result.Refused(unsupported.get());
    }
    Map<String, JsonNode> values = new TreeMap<>();
    for (Map.Entry<String, JsonNode> entry : new TreeMap<>(given).entrySet()) {
      String key = entry.getKey();
      switch (definition(key).type().check(key, entry.getValue())) {
        case ExtensionType.Checked.Valid valid -> values.put(key, valid.value());
        case ExtensionType.Checked.Invalid invalid -> {
          return refused(ProblemCode.INVALID_REQUEST, key, invalid.message());
        }
      }
    }
    for (ExtensionRule rule : rules) {
      if (rule.brokenBy(values.get(rule.key()), effective(values, rule.otherKey()))) {
        return refused(ProblemCode.INVALID_REQUEST, rule.key(), rule.message());
      }
    }
    return new Result.Accepted(values);
  }

  /// The manifest with these extensions too, and with the values that `allow` has.
  AgentManifest with(List<ExtensionDefinition> more, Set<String> allow) {
    return new AgentManifest(
        kind,
        title,
        description,
        capabilities,
        Stream.concat(extensions.stream(), more.stream())
            .map(extension -> extension.granted(allow))
            .toList(),
        rules,
        card,
        whenInteractive);
  }

  /// The manifest with these capabilities too.
  AgentManifest with(String... ids) {
    return new AgentManifest(
        kind,
        title,
        description,
        union(capabilities, new TreeSet<>(List.of(ids))),
        extensions,
        rules,
        card,
        whenInteractive);
  }

  /// The value a backend acts on: the given one, else the default, else null.
  public @Nullable JsonNode effective(Map<String, JsonNode> given, String key) {
    JsonNode value = given.get(key);
    return value == null ? definition(key).defaultValue() : value;
  }

  /// A JSON Schema of the `extensions` member of a request.
  public ObjectNode extensionsSchema() {
    ObjectNode schema = JsonNodeFactory.instance.objectNode().put("type", "object");
    ObjectNode properties = schema.putObject("properties");
    extensions.forEach(extension -> properties.set(extension.key(), extension.schema()));
    return schema.put("additionalProperties", false);
  }

  private static SortedSet<String> union(SortedSet<String> some, SortedSet<String> more) {
    SortedSet<String> all = new TreeSet<>(some);
    all.addAll(more);
    return all;
  }

  private Optional<Problem> unsupported(Map<String, JsonNode> given, Collection<String> requires) {
    Map<String, ExtensionDefinition> known =
        extensions.stream()
            .collect(Collectors.toMap(ExtensionDefinition::key, Function.identity()));
    for (String key : new TreeSet<>(given.keySet())) {
      if (!known.containsKey(key)) {
        return Optional.of(unsupported(Pointer.of("extensions", key), key));
      }
    }
    SortedSet<String> offered = capabilitiesOf(given);
    int index = 0;
    for (String id : requires) {
      if (!offered.contains(id)) {
        return Optional.of(unsupported(Pointer.of("requires", String.valueOf(index)), id));
      }
      index++;
    }
    return Optional.empty();
  }

  private Problem unsupported(String pointer, String id) {
    return Problem.at(
        ProblemCode.UNSUPPORTED_CAPABILITY,
        pointer,
        new AgentError.UnsupportedCapability(
                kind, Capabilities.isId(id) ? id : "(not a capability id)")
            .display());
  }

  private ExtensionDefinition definition(String key) {
    for (ExtensionDefinition extension : extensions) {
      if (extension.key().equals(key)) {
        return extension;
      }
    }
    throw new IllegalArgumentException(kind + " has no extension of this key");
  }

  private static Result refused(ProblemCode code, String key, String message) {
    return new Result.Refused(Problem.at(code, Pointer.of("extensions", key), message));
  }

  /// What a check found: the values to run with, normalised, or why the request is refused.
  public sealed interface Result {
    record Accepted(Map<String, JsonNode> extensions) implements Result {
      public Accepted {
        extensions = Collections.unmodifiableMap(new LinkedHashMap<>(extensions));
      }
    }

    record Refused(Problem problem) implements Result {}
  }
}
