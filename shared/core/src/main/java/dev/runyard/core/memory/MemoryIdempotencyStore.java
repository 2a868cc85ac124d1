package dev.runyard.core.memory;

import dev.runyard.core.submit.IdempotencyStore;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Idempotency keys in memory. Nothing is ever removed: an expired key is bound again.
public final class MemoryIdempotencyStore implements IdempotencyStore {
  private final Map<Name, Claim> claims = new HashMap<>();

  @Override
  public synchronized Binding bind(Claim claim) {
    Name name = new Name(claim.tenant(), claim.key());
    Claim there = claims.get(name);
    if (there == null || !there.expiresAt().isAfter(claim.now())) {
      claims.put(name, claim);
      return new Binding.Fresh();
    }
    return there.fingerprint().equals(claim.fingerprint())
        ? new Binding.Known(there.runId())
        : new Binding.Mismatch();
  }

  @Override
  public synchronized Optional<String> find(String tenant, String key, Instant now) {
    return Optional.ofNullable(claims.get(new Name(tenant, key)))
        .filter(claim -> claim.expiresAt().isAfter(now))
        .map(Claim::runId);
  }

  private record Name(String tenant, String key) {}
}
