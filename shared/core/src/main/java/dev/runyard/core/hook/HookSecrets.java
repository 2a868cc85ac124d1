package dev.runyard.core.hook;

import dev.runyard.core.agent.RequestSecrets;
import dev.runyard.core.secret.Fetched;
import dev.runyard.core.secret.SecretMember;
import dev.runyard.core.secret.SecretSource;
import dev.runyard.core.secret.SecretTrouble;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/// The secrets that the operator lists for hooks, read when a delivery is to be checked and kept
/// for [HookLimits#SECRET_SECONDS], so that a secret that was changed or taken away holds soon and
/// a burst asks once. Thread-safe.
public final class HookSecrets {
  private final RequestSecrets listed;
  private final Function<SecretSource, Fetched> places;
  private final InstantSource clock;
  private final Map<String, Kept> kept = new ConcurrentHashMap<>();

  private record Kept(Fetched fetched, Instant until) {}

  /// @param places reads all of what is kept in a place, whichever member of it is meant
  public HookSecrets(
      RequestSecrets listed, Function<SecretSource, Fetched> places, InstantSource clock) {
    this.listed = listed;
    this.places = places;
    this.clock = clock;
  }

  /// True if hooks may name this secret.
  boolean lists(String name) {
    return listed.allows(name);
  }

  /// The value of a secret, as it was at most [HookLimits#SECRET_SECONDS] ago.
  Fetched read(String name) {
    SecretSource source = listed.sources().get(name);
    if (source == null) {
      return new Fetched.Unavailable(SecretTrouble.UNKNOWN);
    }
    Instant now = clock.instant();
    return kept.compute(
            name,
            (_, known) ->
                known != null && now.isBefore(known.until())
                    ? known
                    : kept(SecretMember.of(source, places.apply(source)), now))
        .fetched();
  }

  private static Kept kept(Fetched fetched, Instant now) {
    int seconds =
        switch (fetched) {
          case Fetched.Value _ -> HookLimits.SECRET_SECONDS;
          case Fetched.Unavailable _ -> HookLimits.SECRET_RETRY_SECONDS;
        };
    return new Kept(fetched, now.plusSeconds(seconds));
  }
}
