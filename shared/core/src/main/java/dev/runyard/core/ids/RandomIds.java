package dev.runyard.core.ids;

import java.time.Instant;
import java.util.Base64;
import java.util.UUID;
import java.util.random.RandomGenerator;

/// Ids drawn from a random generator: a `SecureRandom` in production, a seeded one in a simulation.
public final class RandomIds implements Ids {
  private static final int TOKEN_BYTES = 12;
  private static final long VERSION_7 = 0x7000L;
  private static final long VARIANT_2 = 0x8000_0000_0000_0000L;

  private final RandomGenerator random;

  public RandomIds(RandomGenerator random) {
    this.random = random;
  }

  @Override
  public String runId(Instant now) {
    long high = (now.toEpochMilli() << 16) | VERSION_7 | (random.nextLong() & 0x0FFFL);
    long low = (random.nextLong() & 0x3FFF_FFFF_FFFF_FFFFL) | VARIANT_2;
    return new UUID(high, low).toString();
  }

  @Override
  public String token() {
    byte[] bytes = new byte[TOKEN_BYTES];
    random.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
