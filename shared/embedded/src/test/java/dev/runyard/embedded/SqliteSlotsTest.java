package dev.runyard.embedded;

import dev.runyard.core.fleet.Slots;
import dev.runyard.testkit.contract.SlotsContract;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(StoreRig.Given.class)
class SqliteSlotsTest extends SlotsContract {
  private final StoreRig rig;

  SqliteSlotsTest(StoreRig rig) {
    this.rig = rig;
  }

  @Override
  protected Slots slots() {
    return rig.store().slots();
  }
}
