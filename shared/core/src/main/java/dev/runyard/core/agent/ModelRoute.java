package dev.runyard.core.agent;

import java.util.Optional;
import java.util.regex.Pattern;

/// Where the model gateway forwards an agent's calls of its model.
///
/// @param endpoint base address of the provider's API
public record ModelRoute(ModelApi api, String endpoint) {
  private static final Pattern ADDRESS =
      Pattern.compile("https?://[A-Za-z0-9._~\\[\\]:-]+(/[A-Za-z0-9._~-]+)*/?");

  /// The route of an agent; empty for one that talks to its provider by itself: its API is not
  /// known, or it has neither an endpoint nor a key for a provider that is known.
  public static Optional<ModelRoute> of(AgentKind kind, AgentSettings.Agent settings) {
    Optional<AgentCli.Provider> known = AgentCli.find(kind).flatMap(AgentCli.Agent::provider);
    Optional<ModelApi> api =
        known.map(AgentCli.Provider::api).or(() -> Optional.ofNullable(settings.models().api()));
    String named = settings.endpoint();
    Optional<String> endpoint =
        named != null
            ? Optional.of(named)
            : known
                .filter(_ -> settings.keySource().isPresent())
                .flatMap(AgentCli.Provider::endpoint);
    return api.flatMap(spoken -> endpoint.map(address -> new ModelRoute(spoken, address)));
  }

  /// True for an address that calls can be forwarded to: without user, query and fragment.
  static boolean isAddress(String text) {
    return ADDRESS.matcher(text).matches();
  }
}
