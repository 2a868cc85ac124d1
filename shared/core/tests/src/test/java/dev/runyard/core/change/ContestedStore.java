package dev.runyard.core.change;

import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.memory.MemoryArtifactStore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A store in memory that tells the keys written, and to which others write between a find and the
/// replace after it.
final class ContestedStore implements ArtifactStore {
  private final MemoryArtifactStore store = new MemoryArtifactStore();
  private final Deque<byte[]> others = new ArrayDeque<>();
  private final List<String> writes = new ArrayList<>();

  /// After one find more, something else has that content at its key.
  void contested(byte[] content) {
    others.add(content);
  }

  /// The keys that were written, in order; a test may clear it.
  List<String> writes() {
    return writes;
  }

  Set<String> keys() {
    return store.keys();
  }

  @Override
  public void put(String key, byte[] content) {
    writes.add(key);
    store.put(key, content);
  }

  @Override
  public Optional<byte[]> get(String key) {
    return store.get(key);
  }

  @Override
  public Optional<Versioned> find(String key) {
    Optional<Versioned> found = store.find(key);
    Optional.ofNullable(others.poll()).ifPresent(other -> store.put(key, other));
    return found;
  }

  @Override
  public boolean replace(String key, Optional<String> version, byte[] content) {
    writes.add(key);
    return store.replace(key, version, content);
  }

  @Override
  public void delete(String key) {
    store.delete(key);
  }
}
