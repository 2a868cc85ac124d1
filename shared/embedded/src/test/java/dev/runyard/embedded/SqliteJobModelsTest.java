package dev.runyard.embedded;

import dev.runyard.core.job.JobModels;
import dev.runyard.testkit.contract.JobModelsContract;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(StoreRig.Given.class)
class SqliteJobModelsTest extends JobModelsContract {
  private final StoreRig rig;

  SqliteJobModelsTest(StoreRig rig) {
    this.rig = rig;
  }

  @Override
  protected JobModels jobModels() {
    return rig.store().jobs().models();
  }
}
