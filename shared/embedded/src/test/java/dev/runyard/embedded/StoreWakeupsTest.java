package dev.runyard.embedded;

import dev.runyard.core.wakeup.Wakeups;
import dev.runyard.testkit.contract.WakeupsContract;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(StoreRig.Given.class)
class StoreWakeupsTest extends WakeupsContract {
  private final StoreRig rig;

  StoreWakeupsTest(StoreRig rig) {
    this.rig = rig;
  }

  @Override
  protected Wakeups wakeups() {
    return rig.store().wakeups();
  }
}
