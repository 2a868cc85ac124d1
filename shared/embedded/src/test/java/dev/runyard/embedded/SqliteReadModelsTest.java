package dev.runyard.embedded;

import dev.runyard.core.projection.ReadModels;
import dev.runyard.testkit.contract.ReadModelsContract;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(StoreRig.Given.class)
class SqliteReadModelsTest extends ReadModelsContract {
  private final StoreRig rig;

  SqliteReadModelsTest(StoreRig rig) {
    this.rig = rig;
  }

  @Override
  protected ReadModels readModels() {
    return rig.store().models();
  }
}
