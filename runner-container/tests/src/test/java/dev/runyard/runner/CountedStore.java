package dev.runyard.runner;

import dev.runyard.core.artifact.ArtifactStore;
import java.util.List;
import java.util.Optional;

/// A store that notes each write.
record CountedStore(ArtifactStore store, List<String> written) implements ArtifactStore {
  @Override
  public void put(String key, byte[] content) {
    written.add(key);
    store.put(key, content);
  }

  @Override
  public Optional<byte[]> get(String key) {
    return store.get(key);
  }

  @Override
  public Optional<Versioned> find(String key) {
    return store.find(key);
  }

  @Override
  public boolean replace(String key, Optional<String> version, byte[] content) {
    written.add(key);
    return store.replace(key, version, content);
  }

  @Override
  public void delete(String key) {
    written.add(key);
    store.delete(key);
  }
}
