package dev.runyard.embedded;

import dev.runyard.core.hook.HookDeliveries;
import dev.runyard.testkit.contract.HookDeliveriesContract;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(StoreRig.Given.class)
class SqliteHookDeliveriesTest extends HookDeliveriesContract {
  private final StoreRig rig;

  SqliteHookDeliveriesTest(StoreRig rig) {
    this.rig = rig;
  }

  @Override
  protected HookDeliveries hookDeliveries() {
    return rig.store().hookDeliveries();
  }
}
