package dev.runyard.testkit.contract;

import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.artifact.AwaitedStore;
import dev.runyard.core.memory.MemoryArtifactStore;

/// A store that is waited for is a store like others once it answers.
class AwaitedStoreTest extends ArtifactStoreContract {
  @Override
  protected ArtifactStore artifactStore() {
    return new AwaitedStore(new MemoryArtifactStore(), (_, _) -> false);
  }
}
