package dev.runyard.embedded;

import dev.runyard.core.job.JobItems;
import dev.runyard.testkit.contract.JobItemsContract;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(StoreRig.Given.class)
class SqliteJobItemsTest extends JobItemsContract {
  private final StoreRig rig;

  SqliteJobItemsTest(StoreRig rig) {
    this.rig = rig;
  }

  @Override
  protected JobItems jobItems() {
    return rig.store().jobs().items();
  }
}
