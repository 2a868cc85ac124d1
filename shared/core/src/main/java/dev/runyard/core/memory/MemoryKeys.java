package dev.runyard.core.memory;

import dev.runyard.core.access.AccessKey;
import dev.runyard.core.access.Keys;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Keys in memory. None is ever forgotten.
public final class MemoryKeys implements Keys {
  private final Map<String, AccessKey> byHash = new LinkedHashMap<>();

  @Override
  public synchronized void add(AccessKey key) {
    byHash.put(key.hash(), key);
  }

  @Override
  public synchronized Optional<AccessKey> find(String hash) {
    return Optional.ofNullable(byHash.get(hash));
  }

  @Override
  public synchronized List<AccessKey> list(String tenant) {
    return byHash.values().stream()
        .filter(key -> key.tenant().equals(tenant))
        .sorted(AccessKey.OLDEST_FIRST)
        .limit(LISTED_MAX)
        .toList();
  }

  @Override
  public synchronized Optional<AccessKey> revoke(String tenant, String id, Instant at) {
    Optional<AccessKey> found =
        byHash.values().stream()
            .filter(key -> key.tenant().equals(tenant) && key.id().equals(id))
            .findFirst()
            .map(key -> key.revokedAt(at));
    found.ifPresent(key -> byHash.put(key.hash(), key));
    return found;
  }

  @Override
  public synchronized void used(AccessKey key, Instant at, Instant before) {
    AccessKey now = byHash.get(key.hash());
    if (now != null && now.used().map(last -> !last.isAfter(before)).orElse(true)) {
      byHash.put(key.hash(), now.usedAt(at));
    }
  }
}
