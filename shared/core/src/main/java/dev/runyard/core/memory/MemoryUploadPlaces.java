package dev.runyard.core.memory;

import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.ids.Digest;
import dev.runyard.core.upload.UploadId;
import dev.runyard.core.upload.UploadPlaces;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/// Places of an artifact store in memory. An address counts up and is of use to no server.
public final class MemoryUploadPlaces implements UploadPlaces {
  private final ArtifactStore store;
  private final InstantSource clock;
  private final Map<String, Opened> opened = new HashMap<>();
  private final Set<String> stored = new HashSet<>();

  private record Opened(String key, UploadId id, long bytes, Instant until) {}

  public MemoryUploadPlaces(ArtifactStore store, InstantSource clock) {
    this.store = store;
    this.clock = clock;
  }

  @Override
  public synchronized Place open(String tenant, UploadId id, long bytes, Instant until) {
    String url = "/put/" + opened.size();
    opened.put(url, new Opened(id.key(tenant), id, bytes, until));
    return new Place(url, "PUT", Map.of(), until);
  }

  /// Puts bytes at a place; false if it does not take them.
  public synchronized boolean put(String url, byte[] content) {
    Opened place = opened.get(url);
    if (place == null
        || !clock.instant().isBefore(place.until())
        || content.length != place.bytes()
        || !HexFormat.of().formatHex(Digest.of(content)).equals(place.id().sha256())) {
      return false;
    }
    store.put(place.key(), content);
    stored.add(place.key());
    return true;
  }

  @Override
  public synchronized OptionalLong bytes(String tenant, UploadId id) {
    return stored.contains(id.key(tenant))
        ? store.get(id.key(tenant)).stream().mapToLong(content -> content.length).findFirst()
        : OptionalLong.empty();
  }

  @Override
  public synchronized List<UploadId> list(String tenant) {
    String prefix = UploadId.prefix(tenant);
    return stored.stream()
        .filter(key -> key.startsWith(prefix))
        .flatMap(key -> UploadId.parse(key.substring(prefix.length())).stream())
        .limit(LISTED_MAX)
        .toList();
  }
}
