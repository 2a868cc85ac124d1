package dev.runyard.testkit.memory;

import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.testkit.contract.ArtifactStoreContract;

class MemoryArtifactStoreTest extends ArtifactStoreContract {
  @Override
  protected ArtifactStore artifactStore() {
    return new MemoryArtifactStore();
  }
}
