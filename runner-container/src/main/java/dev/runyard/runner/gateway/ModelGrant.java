package dev.runyard.runner.gateway;

import dev.runyard.core.agent.ModelRoute;
import dev.runyard.core.agent.Prices;
import dev.runyard.core.request.RunBounds;
import dev.runyard.core.usage.Usage;
import java.net.URI;
import java.util.Optional;
import java.util.Set;

/// What the agent of one attempt may call.
///
/// @param key the provider's; empty if it asks for none
/// @param terms which calls it may make
/// @param used what the run used before
public record ModelGrant(
    ModelRoute route,
    Optional<String> key,
    CallTerms terms,
    Prices prices,
    RunBounds bounds,
    Usage used) {
  public ModelGrant {
    key = key.map(String::strip).filter(text -> !text.isEmpty());
  }

  /// What an agent may call that reaches the network itself.
  public ModelGrant(
      ModelRoute route,
      Optional<String> key,
      Set<String> models,
      Prices prices,
      RunBounds bounds,
      Usage used) {
    this(route, key, new CallTerms(models, false), prices, bounds, used);
  }

  /// The models that may be called; empty for all.
  Set<String> models() {
    return terms.models();
  }

  /// The path of the provider's endpoint, without a slash at its end.
  String path() {
    String path = URI.create(route.endpoint()).getRawPath();
    return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
  }

  /// The address of a path at the provider.
  ///
  /// @param target path and query
  URI at(String target) {
    URI endpoint = URI.create(route.endpoint());
    return URI.create(endpoint.getScheme() + "://" + endpoint.getRawAuthority() + target);
  }
}
