package dev.runyard.embedded;

import dev.runyard.core.quota.HeldRuns;
import dev.runyard.testkit.contract.HeldRunsContract;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(StoreRig.Given.class)
class SqliteHeldRunsTest extends HeldRunsContract {
  private final StoreRig rig;

  SqliteHeldRunsTest(StoreRig rig) {
    this.rig = rig;
  }

  @Override
  protected HeldRuns heldRuns() {
    return rig.store().held();
  }
}
