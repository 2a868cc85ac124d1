package dev.runyard.embedded;

import dev.runyard.core.job.JobItems;
import dev.runyard.testkit.contract.JobItemsContract;
import org.junit.jupiter.api.extension.ExtendWith;

/// The same promises when the store is closed and opened again before each call.
@ExtendWith(StoreRig.Given.class)
class ReopenedJobItemsTest extends JobItemsContract {
  private final StoreRig rig;

  ReopenedJobItemsTest(StoreRig rig) {
    this.rig = rig;
  }

  @Override
  protected JobItems jobItems() {
    return rig.reopening(JobItems.class, store -> store.jobs().items());
  }
}
