package dev.runyard.simulator;

import dev.runyard.core.submit.IdempotencyStore;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// The defect of [Defect#KEY_LOOKED_FOR_THEN_BOUND].
final class PlantedKeys implements IdempotencyStore {
  private static final Duration BETWEEN = Duration.ofMillis(20);

  private final SimulatedSystem system;
  private final Map<String, Claim> claims = new HashMap<>();

  PlantedKeys(SimulatedSystem system) {
    this.system = system;
  }

  @Override
  public Binding bind(Claim claim) {
    Claim there = claims.get(claim.key());
    system.elapse(BETWEEN);
    if (there == null) {
      claims.put(claim.key(), claim);
      return new Binding.Fresh();
    }
    return there.fingerprint().equals(claim.fingerprint())
        ? new Binding.Known(there.runId())
        : new Binding.Mismatch();
  }

  @Override
  public Optional<String> find(String tenant, String key, Instant now) {
    return Optional.ofNullable(claims.get(key)).map(Claim::runId);
  }
}
