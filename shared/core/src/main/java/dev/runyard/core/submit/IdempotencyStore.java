package dev.runyard.core.submit;

import java.time.Instant;
import java.util.Optional;

/// Which run was submitted with an idempotency key, or is the turn of that name. A key is
/// remembered for [#KEY_SECONDS], the name of a turn for [#TURN_SECONDS]; whether it has expired is
/// judged by its time, not by its deletion.
public interface IdempotencyStore {
  int KEY_SECONDS = 24 * 3600;
  int KEY_BYTES_MAX = 255;

  /// How long the name of a turn is remembered.
  int TURN_SECONDS = 90 * 24 * 3600;

  /// Binds the key to `runId` unless it is already bound.
  Binding bind(Claim claim);

  /// The run that the key is bound to, if it is remembered.
  Optional<String> find(String tenant, String key, Instant now);

  /// A request to bind a key.
  ///
  /// @param fingerprint SHA-256 of the request, in hexadecimal
  /// @param seconds for how long
  record Claim(
      String tenant, String key, String fingerprint, String runId, Instant now, int seconds) {
    /// To bind the key of a request's header.
    public Claim(String tenant, String key, String fingerprint, String runId, Instant now) {
      this(tenant, key, fingerprint, runId, now, KEY_SECONDS);
    }

    /// The same, for no longer than so many seconds.
    Claim within(int secondsMax) {
      return new Claim(tenant, key, fingerprint, runId, now, Math.min(seconds, secondsMax));
    }

    public Instant expiresAt() {
      return now.plusSeconds(seconds);
    }
  }

  /// What the key is bound to.
  sealed interface Binding {
    /// To this request, as of now.
    record Fresh() implements Binding {}

    /// To an earlier request with the same fingerprint, which created this run.
    record Known(String runId) implements Binding {}

    /// To an earlier request with another fingerprint.
    record Mismatch() implements Binding {}
  }
}
