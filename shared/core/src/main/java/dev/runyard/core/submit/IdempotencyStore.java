package dev.runyard.core.submit;

import java.time.Instant;

/// Which run was submitted with an idempotency key. A key is remembered for [#KEY_SECONDS]; whether
/// it has expired is judged by its time, not by its deletion.
public interface IdempotencyStore {
  int KEY_SECONDS = 24 * 3600;
  int KEY_BYTES_MAX = 255;

  /// Binds the key to `runId` unless it is already bound.
  Binding bind(Claim claim);

  /// A request to bind a key.
  ///
  /// @param fingerprint SHA-256 of the request, in hexadecimal
  record Claim(String tenant, String key, String fingerprint, String runId, Instant now) {
    public Instant expiresAt() {
      return now.plusSeconds(KEY_SECONDS);
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
