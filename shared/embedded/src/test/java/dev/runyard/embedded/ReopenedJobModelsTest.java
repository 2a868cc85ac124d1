package dev.runyard.embedded;

import dev.runyard.core.job.JobModels;
import dev.runyard.testkit.contract.JobModelsContract;
import org.junit.jupiter.api.extension.ExtendWith;

/// The same promises when the store is closed and opened again before each call.
@ExtendWith(StoreRig.Given.class)
class ReopenedJobModelsTest extends JobModelsContract {
  private final StoreRig rig;

  ReopenedJobModelsTest(StoreRig rig) {
    this.rig = rig;
  }

  @Override
  protected JobModels jobModels() {
    return rig.reopening(JobModels.class, store -> store.jobs().models());
  }
}
