package dev.runyard.embedded;

import dev.runyard.core.hook.HookDeliveries;
import dev.runyard.testkit.contract.HookDeliveriesContract;
import org.junit.jupiter.api.extension.ExtendWith;

/// The same promises when the store is closed and opened again before each call.
@ExtendWith(StoreRig.Given.class)
class ReopenedHookDeliveriesTest extends HookDeliveriesContract {
  private final StoreRig rig;

  ReopenedHookDeliveriesTest(StoreRig rig) {
    this.rig = rig;
  }

  @Override
  protected HookDeliveries hookDeliveries() {
    return rig.reopening(HookDeliveries.class, EmbeddedStore::hookDeliveries);
  }
}
