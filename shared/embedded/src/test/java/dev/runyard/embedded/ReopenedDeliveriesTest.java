package dev.runyard.embedded;

import dev.runyard.core.webhook.Deliveries;
import dev.runyard.testkit.contract.DeliveriesContract;
import org.junit.jupiter.api.extension.ExtendWith;

/// The same promises when the store is closed and opened again before each call.
@ExtendWith(StoreRig.Given.class)
class ReopenedDeliveriesTest extends DeliveriesContract {
  private final StoreRig rig;

  ReopenedDeliveriesTest(StoreRig rig) {
    this.rig = rig;
  }

  @Override
  protected Deliveries deliveries() {
    return rig.reopening(Deliveries.class, store -> store.webhooks().deliveries());
  }
}
