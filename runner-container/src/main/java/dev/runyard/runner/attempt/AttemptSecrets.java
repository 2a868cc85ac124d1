package dev.runyard.runner.attempt;

import dev.runyard.aws.SecretPlaces;
import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.request.SecretRef;
import dev.runyard.core.secret.Fetched;
import dev.runyard.core.secret.SecretMember;
import dev.runyard.core.secret.SecretSource;
import dev.runyard.core.secret.SecretTrouble;
import dev.runyard.runner.backend.Redaction;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The operator's secrets as one attempt needs them, read when its agent is prepared: each place is
/// asked once for an attempt, and nothing is kept for the next one. Whatever is given out is cut
/// out of all that the attempt writes from then on. Not thread-safe.
final class AttemptSecrets {
  /// How long reading all secrets of an attempt may take before no further place is asked. The last
  /// one may add the time that one call may take.
  static final int READ_SECONDS_MAX = 20;

  private final AgentSettings.Agent settings;
  private final SecretPlaces places;
  private final Redaction redaction;
  private final InstantSource clock;
  private final Map<SecretSource, Fetched> read = new HashMap<>();
  private Optional<Instant> deadline = Optional.empty();

  /// @param settings of the agent, which list its secrets
  /// @param redaction gets to know what is given out
  AttemptSecrets(
      AgentSettings.Agent settings, SecretPlaces places, Redaction redaction, InstantSource clock) {
    this.settings = settings;
    this.places = places;
    this.redaction = redaction;
    this.clock = clock;
  }

  /// The value of a secret that the operator lists for the agent, or the failure of the attempt
  /// that needs it.
  Prepared<String> resolve(String name) {
    SecretSource source = settings.grants().secrets().sources().get(name);
    return source == null
        ? refused("The secret " + name, SecretTrouble.UNKNOWN)
        : value(source, name, "The secret " + name);
  }

  /// The key of the agent's model provider; empty if the operator names no place for it, or a
  /// variable that the runner does not have.
  Prepared<Optional<String>> apiKey() throws IOException {
    Optional<SecretSource> source = settings.models().key();
    if (source.isPresent()) {
      return value(source.get(), keyName(), "The agent's key of its models (api_key)")
          .then(key -> new Prepared.Ready<>(Optional.of(key)));
    }
    Optional<String> key = Optional.ofNullable(settings.apiKeyEnv()).map(places.runnerEnv()::get);
    key.ifPresent(known -> redaction.know(keyName(), known));
    return new Prepared.Ready<>(key);
  }

  /// A request's variables with the values of the secrets that they name.
  Prepared<Map<String, String>> variables(Map<String, String> given) {
    Map<String, String> resolved = new TreeMap<>(given);
    for (Map.Entry<String, String> variable : resolved.entrySet()) {
      Optional<String> secret = SecretRef.name(variable.getValue());
      if (secret.isPresent()) {
        switch (resolve(secret.get())) {
          case Prepared.Ready<String>(String value) -> variable.setValue(value);
          case Prepared.Refused<String>(Failure failure) -> {
            return new Prepared.Refused<>(failure);
          }
        }
      }
    }
    return new Prepared.Ready<>(resolved);
  }

  private String keyName() {
    return Optional.ofNullable(settings.apiKeyEnv()).orElse("API_KEY");
  }

  private Prepared<String> value(SecretSource source, String name, String told) {
    return switch (part(source)) {
      case Fetched.Value(String value) -> {
        redaction.know(name, value);
        yield new Prepared.Ready<>(value);
      }
      case Fetched.Unavailable(SecretTrouble why) -> refused(told, why);
    };
  }

  private Fetched part(SecretSource source) {
    return SecretMember.of(
        source,
        all(
            source instanceof SecretSource.Managed(String id, _)
                ? new SecretSource.Managed(id, Optional.empty())
                : source));
  }

  private Fetched all(SecretSource place) {
    Fetched known = read.get(place);
    if (known != null) {
      return known;
    }
    Instant now = clock.instant();
    Instant end = deadline.orElseGet(() -> now.plus(Duration.ofSeconds(READ_SECONDS_MAX)));
    deadline = Optional.of(end);
    Fetched fetched =
        now.isAfter(end) ? new Fetched.Unavailable(SecretTrouble.UNREACHABLE) : places.read(place);
    read.put(place, fetched);
    return fetched;
  }

  private static <T> Prepared<T> refused(String what, SecretTrouble why) {
    return new Prepared.Refused<>(
        new Failure(
            Failure.SECRET_UNAVAILABLE,
            Category.BACKEND,
            "%s could not be read: %s.".formatted(what, why.text())));
  }
}
