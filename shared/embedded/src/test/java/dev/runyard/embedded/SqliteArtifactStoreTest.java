package dev.runyard.embedded;

import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.testkit.contract.ArtifactStoreContract;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(StoreRig.Given.class)
class SqliteArtifactStoreTest extends ArtifactStoreContract {
  private final StoreRig rig;

  SqliteArtifactStoreTest(StoreRig rig) {
    this.rig = rig;
  }

  @Override
  protected ArtifactStore artifactStore() {
    return rig.store().artifacts();
  }
}
