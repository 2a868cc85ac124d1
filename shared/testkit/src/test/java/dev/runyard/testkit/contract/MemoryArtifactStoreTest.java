package dev.runyard.testkit.contract;

import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.memory.MemoryArtifactStore;

class MemoryArtifactStoreTest extends ArtifactStoreContract {
  @Override
  protected ArtifactStore artifactStore() {
    return new MemoryArtifactStore();
  }
}
