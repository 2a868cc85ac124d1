package dev.runyard.core.memory;

import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.ids.Digest;
import java.util.Arrays;
import java.util.HexFormat;
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
  public Optional<Versioned> find(String key) {
    return get(key).map(content -> new Versioned(content, version(content)));
  }

  @Override
  public boolean replace(String key, Optional<String> version, byte[] content) {
    byte[] after =
        objects.compute(
            ArtifactStore.checked(key),
            (_, there) ->
                Optional.ofNullable(there).map(MemoryArtifactStore::version).equals(version)
                    ? content.clone()
                    : there);
    return after != null && Arrays.equals(after, content);
  }

  private static String version(byte[] content) {
    return HexFormat.of().formatHex(Digest.of(content));
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
