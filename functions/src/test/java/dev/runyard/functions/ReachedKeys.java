package dev.runyard.functions;

import dev.runyard.core.access.AccessKey;
import dev.runyard.core.access.Keys;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Keys that cannot be reached while the log of the twins fails.
record ReachedKeys(Twins twins, Keys keys) implements Keys {
  @Override
  public void add(AccessKey key) {
    twins.reached(keys).add(key);
  }

  @Override
  public Optional<AccessKey> find(String hash) {
    return twins.reached(keys).find(hash);
  }

  @Override
  public List<AccessKey> list(String tenant) {
    return twins.reached(keys).list(tenant);
  }

  @Override
  public Optional<AccessKey> revoke(String tenant, String id, Instant at) {
    return twins.reached(keys).revoke(tenant, id, at);
  }

  @Override
  public void used(AccessKey key, Instant at, Instant before) {
    twins.reached(keys).used(key, at, before);
  }
}
