package dev.runyard.core.submit;

import java.time.Instant;
import java.util.Optional;

/// Keys none of which is remembered for longer than some time: one that outlived its run would lead
/// to a log that has lost its beginning.
///
/// @param secondsMax that time
public record BriefKeys(IdempotencyStore keys, int secondsMax) implements IdempotencyStore {
  @Override
  public Binding bind(Claim claim) {
    return keys.bind(claim.within(secondsMax));
  }

  @Override
  public Optional<String> find(String tenant, String key, Instant now) {
    return keys.find(tenant, key, now);
  }
}
