package dev.runyard.core.agent;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What the operator says of an agent's models, beside where they are.
///
/// @param allowed the models that the agent may call; empty for all
/// @param api what its `endpoint` speaks, for an agent of which Runyard does not know it
public record ModelTerms(Set<String> allowed, @Nullable ModelApi api) {
  public static final ModelTerms NONE = new ModelTerms(Set.of(), null);

  public ModelTerms {
    allowed = Set.copyOf(allowed);
  }

  /// Reads the members `models` and `api` of an agent in the operator's document.
  ///
  /// @param at the agent's place in the document
  static ModelTerms read(AgentKind kind, JsonNode node, String at) {
    Set<String> allowed = Set.copyOf(AgentSettings.texts(node.path("models"), at + "/models"));
    String api = AgentSettings.text(node, at, "api").orElse(null);
    if (api == null) {
      return new ModelTerms(allowed, null);
    }
    if (AgentCli.find(kind).isPresent()) {
      throw AgentSettings.wrong(at + "/api", "is known of this agent; leave it out");
    }
    if (!node.has("endpoint")) {
      throw AgentSettings.wrong(at + "/api", "needs endpoint");
    }
    return new ModelTerms(
        allowed,
        ModelApi.of(api)
            .orElseThrow(
                () ->
                    AgentSettings.wrong(
                        at + "/api", "must be one of " + String.join(", ", ModelApi.labels()))));
  }
}
