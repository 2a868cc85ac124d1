package dev.runyard.runner.attempt;

import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.agent.ModelRoute;
import dev.runyard.core.agent.NetworkAccess;
import dev.runyard.core.event.RunEvent;
import dev.runyard.runner.backend.AgentBackend;
import dev.runyard.runner.gateway.AttemptEndpoint;
import dev.runyard.runner.gateway.CallTerms;
import dev.runyard.runner.gateway.ModelGateway;
import dev.runyard.runner.gateway.ModelGrant;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// How the agent of an attempt reaches its models: over an endpoint of the model gateway, or by
/// itself, if nobody said where they are.
final class AttemptModels {
  private final ModelGateway gateway;
  private final AgentAttempt of;
  private volatile Optional<String> key = Optional.empty();
  private volatile @Nullable AttemptEndpoint endpoint;

  AttemptModels(AgentSetup setup, AgentAttempt of) {
    this.gateway = setup.services().models();
    this.of = of;
  }

  /// Opens the endpoint, if the agent is to have one.
  ///
  /// @param given the provider's key, if the operator keeps it outside of the settings
  /// @param access what the agent may reach
  void open(Optional<String> given, NetworkAccess access) throws IOException {
    key = given.or(this::keyInSettings);
    Optional<ModelRoute> route =
        ModelRoute.of(of.kind(), of.settings())
            .filter(_ -> of.settings().endpoint() != null || key.isPresent());
    if (route.isPresent()) {
      endpoint =
          gateway.open(
              new ModelGrant(
                  route.get(),
                  key,
                  new CallTerms(of.settings().models().allowed(), access.confines()),
                  of.settings().prices(),
                  of.request().bounds(),
                  of.facts().usage()));
    }
  }

  /// The endpoint, once it is open.
  Optional<AttemptEndpoint> endpoint() {
    return Optional.ofNullable(endpoint);
  }

  /// The agent's settings as its backend is to see them.
  AgentSettings.Agent settings() {
    return endpoint().map(open -> open.settings(of.settings())).orElse(of.settings());
  }

  /// The agent's key of its models.
  Optional<String> key() {
    return endpoint().map(AttemptEndpoint::token).or(() -> key);
  }

  /// Says so if the agent holds its provider's key itself.
  Optional<RunEvent> warning() {
    boolean replayed = of.backend().filter(AgentBackend::replayed).isPresent();
    return endpoint().isPresent() || key.isEmpty() || replayed
        ? Optional.empty()
        : Optional.of(
            new RunEvent.RuntimeWarning(
                "model_key_exposed",
                "The agent holds the key of its model provider itself, and its calls are not"
                    + " measured. Name an endpoint in the agents file."));
  }

  /// The attempt is over, or did not begin.
  void close() {
    endpoint().ifPresent(AttemptEndpoint::close);
  }

  private Optional<String> keyInSettings() {
    return Optional.ofNullable(of.settings().apiKeyEnv()).map(of.settings().env()::get);
  }
}
