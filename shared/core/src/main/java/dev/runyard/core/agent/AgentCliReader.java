package dev.runyard.core.agent;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Reads the manifest of a CLI. An agent has the capabilities of every CLI and those its manifest
/// adds; of a standard extension the manifest has only the key. An unknown member or one of the
/// wrong type is a mistake and throws.
final class AgentCliReader {
  private static final Set<String> CLI = Set.of("title", "agents", "trial");
  private static final Set<String> AGENT =
      Set.of(
          "title",
          "description",
          "backend",
          "capabilities",
          "interactive_capabilities",
          "extensions",
          "rules",
          "grantable",
          "workspace_settings",
          "api",
          "provider");
  private static final Set<String> EXTENSION =
      Set.of("key", "choices", "grantable", "default", "meaning");
  private static final Set<String> RULE = Set.of("key", "only", "while", "is");

  private final AgentKind kind;

  private AgentCliReader(AgentKind kind) {
    this.kind = kind;
  }

  static AgentCli read(String name, JsonNode json) {
    known(json, CLI);
    String title = text(json, "title");
    List<AgentCli.Agent> agents = new ArrayList<>();
    for (Map.Entry<String, JsonNode> agent : json.path("agents").properties()) {
      AgentKind kind = new AgentKind(agent.getKey());
      agents.add(new AgentCliReader(kind).agent(agent.getValue(), title));
    }
    return new AgentCli(name, title, agents, json.path("trial"));
  }

  private AgentCli.Agent agent(JsonNode json, String cli) {
    known(json, AGENT);
    SortedSet<String> capabilities = Capabilities.ofACli();
    capabilities.addAll(list(json, "capabilities", JsonNode::textValue));
    AgentManifest manifest =
        new AgentManifest(
            kind,
            json.has("title") ? text(json, "title") : cli,
            text(json, "description"),
            capabilities,
            list(json, "extensions", this::extension),
            list(json, "rules", AgentCliReader::rule),
            AgentCard.ANYTHING,
            new TreeSet<>(list(json, "interactive_capabilities", JsonNode::textValue)));
    return new AgentCli.Agent(
        manifest,
        list(json, "grantable", this::extension),
        list(json, "workspace_settings", JsonNode::textValue),
        text(json, "backend"),
        json.has("api") ? Optional.of(provider(json)) : Optional.empty());
  }

  private static AgentCli.Provider provider(JsonNode json) {
    return new AgentCli.Provider(
        ModelApi.of(text(json, "api"))
            .orElseThrow(() -> new IllegalArgumentException("a manifest with an unknown api")),
        json.has("provider") ? Optional.of(text(json, "provider")) : Optional.empty());
  }

  private ExtensionDefinition extension(JsonNode json) {
    return json.isTextual() ? StandardExtensions.of(kind, json.textValue()) : own(json);
  }

  private static ExtensionDefinition own(JsonNode json) {
    known(json, EXTENSION);
    @Nullable JsonNode byDefault = json.get("default");
    return new ExtensionDefinition(
        text(json, "key"),
        new ExtensionType.Choice(
            list(json, "choices", JsonNode::textValue),
            list(json, "grantable", JsonNode::textValue)),
        byDefault,
        text(json, "meaning"));
  }

  private static ExtensionRule rule(JsonNode json) {
    known(json, RULE);
    return new ExtensionRule(
        text(json, "key"), json.path("only"), text(json, "while"), json.path("is"));
  }

  private static <T> List<T> list(JsonNode json, String member, Function<JsonNode, T> of) {
    List<T> list = new ArrayList<>();
    json.path(member).forEach(element -> list.add(of.apply(element)));
    return list;
  }

  private static String text(JsonNode json, String member) {
    if (!json.path(member).isTextual()) {
      throw new IllegalArgumentException("a manifest without the text " + member);
    }
    return json.path(member).textValue();
  }

  private static void known(JsonNode json, Set<String> members) {
    for (Map.Entry<String, JsonNode> member : json.properties()) {
      if (!members.contains(member.getKey())) {
        throw new IllegalArgumentException("a manifest with an unknown " + member.getKey());
      }
    }
  }
}
