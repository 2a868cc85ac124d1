package dev.runyard.core.webhook;

import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What deliveries are signed with: `whsec_` and 24 to 64 bytes in base64. Its text form shows none
/// of it.
///
/// @param until when it stops to count; null for the one that counts until it is rotated
public record WebhookSecret(String text, @Nullable Instant until) {
  public static final String PREFIX = "whsec_";
  public static final int SECRET_BYTES = 32;
  public static final int SECRET_BYTES_MIN = 24;
  public static final int SECRET_BYTES_MAX = 64;

  /// A secret of these bytes.
  public static WebhookSecret of(byte[] bytes) {
    return new WebhookSecret(PREFIX + Base64.getEncoder().encodeToString(bytes), null);
  }

  /// The bytes of a secret's text; empty if it is none.
  public static Optional<byte[]> bytes(String text) {
    if (!text.startsWith(PREFIX)) {
      return Optional.empty();
    }
    try {
      return Optional.of(Base64.getDecoder().decode(text.substring(PREFIX.length())))
          .filter(key -> key.length >= SECRET_BYTES_MIN && key.length <= SECRET_BYTES_MAX);
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  boolean counts(Instant now) {
    return until == null || now.isBefore(until);
  }

  WebhookSecret until(Instant end) {
    return new WebhookSecret(text, end);
  }

  @Override
  public String toString() {
    return PREFIX + "***";
  }
}
