package dev.runyard.core.agent;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.secret.SecretSource;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What the operator says of an agent's models, beside where they are.
///
/// @param allowed the models that the agent may call; empty for all
/// @param api what its `endpoint` speaks, for an agent of which Runyard does not know it
/// @param key where the key of its provider is kept; empty if no place is named
public record ModelTerms(Set<String> allowed, @Nullable ModelApi api, Optional<SecretSource> key) {
  /// The member of an agent in the operator's document that says where its key is kept.
  public static final String API_KEY = "api_key";

  public static final ModelTerms NONE = new ModelTerms(Set.of(), null, Optional.empty());

  public ModelTerms {
    allowed = Set.copyOf(allowed);
  }

  /// Reads the members `models`, `api` and `api_key` of an agent in the operator's document.
  ///
  /// @param at the agent's place in the document
  static ModelTerms read(AgentKind kind, JsonNode node, String at) {
    Set<String> allowed = Set.copyOf(AgentSettings.texts(node.path("models"), at + "/models"));
    Optional<SecretSource> key =
        AgentSettings.text(node, at, API_KEY).map(text -> source(text, at));
    String api = AgentSettings.text(node, at, "api").orElse(null);
    if (api == null) {
      return new ModelTerms(allowed, null, key);
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
                        at + "/api", "must be one of " + String.join(", ", ModelApi.labels()))),
        key);
  }

  /// Says nothing of the text: it may be a key that was written here by mistake.
  private static SecretSource source(String text, String at) {
    return SecretSource.read(text)
        .orElseThrow(
            () -> AgentSettings.wrong(at + "/" + API_KEY, "must be " + SecretSource.FORMS));
  }
}
