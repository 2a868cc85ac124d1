package dev.runyard.testkit.memory;

import dev.runyard.core.artifact.ArtifactStore;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/// Objects in memory.
public final class MemoryArtifactStore implements ArtifactStore {
  private final Map<String, byte[]> objects = new ConcurrentHashMap<>();

  @Override
  public void put(String key, byte[] content) {
    objects.put(ArtifactStore.checked(key), content.clone());
  }

  @Override
  public Optional<byte[]> get(String key) {
    return Optional.ofNullable(objects.get(ArtifactStore.checked(key))).map(byte[]::clone);
  }

  @Override
  public void delete(String key) {
    objects.remove(ArtifactStore.checked(key));
  }

  /// The keys of all objects.
  public Set<String> keys() {
    return new TreeSet<>(objects.keySet());
  }
}
