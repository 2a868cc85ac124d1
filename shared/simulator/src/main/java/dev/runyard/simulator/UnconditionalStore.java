package dev.runyard.simulator;

import dev.runyard.core.artifact.ArtifactStore;
import java.util.Optional;

/// The defect of [Defect#POINTER_REPLACED_WITHOUT_CONDITION].
record UnconditionalStore(ArtifactStore store) implements ArtifactStore {
  @Override
  public void put(String key, byte[] content) {
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
    store.put(key, content);
    return true;
  }

  @Override
  public void delete(String key) {
    store.delete(key);
  }
}
