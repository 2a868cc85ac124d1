package dev.runyard.simulator;

import dev.runyard.core.submit.IdempotencyStore;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// The defect of [Defect#EXPIRED_KEY_KNOWN].
final class PlantedExpiry implements IdempotencyStore {
  private final SimulatedSystem system;
  private final Expiry expiry;
  private final Map<String, Row> rows = new HashMap<>();

  PlantedExpiry(SimulatedSystem system, Expiry expiry) {
    this.system = system;
    this.expiry = expiry;
  }

  private record Row(Claim claim, Instant removedAt) {}

  @Override
  public Binding bind(Claim claim) {
    Optional<Claim> there = there(claim.key());
    if (there.isEmpty()) {
      rows.put(claim.key(), new Row(claim, expiry.removedAt(claim.expiresAt())));
      return new Binding.Fresh();
    }
    return there.get().fingerprint().equals(claim.fingerprint())
        ? new Binding.Known(there.get().runId())
        : new Binding.Mismatch();
  }

  @Override
  public Optional<String> find(String tenant, String key, Instant now) {
    return there(key).map(Claim::runId);
  }

  private Optional<Claim> there(String key) {
    return Optional.ofNullable(rows.get(key))
        .filter(row -> row.removedAt().isAfter(system.now()))
        .map(Row::claim);
  }
}
