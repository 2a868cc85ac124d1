package dev.runyard.embedded;

import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.testkit.contract.ArtifactStoreContract;
import org.junit.jupiter.api.extension.ExtendWith;

/// The same promises when the store is closed and opened again before each call.
@ExtendWith(StoreRig.Given.class)
class ReopenedArtifactStoreTest extends ArtifactStoreContract {
  private final StoreRig rig;

  ReopenedArtifactStoreTest(StoreRig rig) {
    this.rig = rig;
  }

  @Override
  protected ArtifactStore artifactStore() {
    return rig.reopening(ArtifactStore.class, EmbeddedStore::artifacts);
  }
}
