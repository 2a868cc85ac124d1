package dev.runyard.core.webhook;

import dev.runyard.core.ids.Digest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// When a delivery that failed is tried again: the pauses that the Standard Webhooks specification
/// gives as an example, each up to a tenth longer or shorter, so that what failed together is not
/// tried together. By how much follows from the delivery, so a schedule repeats itself.
public final class RetrySchedule {
  /// After this long without a message, `sweep` sends one.
  static final int GRACE_SECONDS = 60;

  /// `sweep` waits this long for what it has sent.
  static final int RESENT_SECONDS = 600;

  /// Longest pause that a receiver may ask for.
  public static final int RETRY_AFTER_SECONDS_MAX = 24 * 3600;

  private static final List<Duration> PAUSES =
      List.of(
          Duration.ofSeconds(5),
          Duration.ofMinutes(5),
          Duration.ofMinutes(30),
          Duration.ofHours(2),
          Duration.ofHours(5),
          Duration.ofHours(10),
          Duration.ofHours(14),
          Duration.ofHours(20),
          Duration.ofHours(24));

  /// Tries of a delivery.
  public static final int TRIES_MAX = 10;

  private RetrySchedule() {}

  /// The pause after a delivery was tried so often; empty when it is given up.
  static Optional<Duration> pause(DeliveryKey key, int tries, Optional<Duration> asked) {
    if (tries > PAUSES.size()) {
      return Optional.empty();
    }
    long millis = PAUSES.get(tries - 1).toMillis();
    long spread = millis / 5;
    long pause = millis - spread / 2 + Math.floorMod(chance(key, tries), spread + 1);
    long wanted =
        asked
            .map(longest -> Math.min(longest.toMillis(), RETRY_AFTER_SECONDS_MAX * 1000L))
            .orElse(0L);
    return Optional.of(Duration.ofMillis(Math.max(pause, wanted)));
  }

  private static long chance(DeliveryKey key, int tries) {
    byte[] digest = Digest.of((key.text() + " " + tries).getBytes(StandardCharsets.UTF_8));
    long value = 0;
    for (int i = 0; i < Integer.BYTES; i++) {
      value = (value << Byte.SIZE) | (digest[i] & 0xFF);
    }
    return value;
  }
}
