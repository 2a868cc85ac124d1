package dev.runyard.core.artifact;

import dev.runyard.core.memory.MemoryArtifactStore;
import dev.runyard.core.problem.PortUnavailable;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/// A store in memory that does not answer for some keys.
final class FailingStore implements ArtifactStore {
  private final MemoryArtifactStore store = new MemoryArtifactStore();
  private Predicate<String> failing = _ -> false;

  /// Calls for such keys fail from now on.
  void fail(Predicate<String> keys) {
    failing = keys;
  }

  Set<String> keys() {
    return store.keys();
  }

  @Override
  public void put(String key, byte[] content) {
    answer(key).put(key, content);
  }

  @Override
  public Optional<byte[]> get(String key) {
    return answer(key).get(key);
  }

  @Override
  public Optional<Versioned> find(String key) {
    return answer(key).find(key);
  }

  @Override
  public boolean replace(String key, Optional<String> version, byte[] content) {
    return answer(key).replace(key, version, content);
  }

  @Override
  public void delete(String key) {
    answer(key).delete(key);
  }

  private ArtifactStore answer(String key) {
    if (failing.test(key)) {
      throw new PortUnavailable("no answer");
    }
    return store;
  }
}
