package dev.runyard.embedded;

import dev.runyard.core.webhook.Deliveries;
import dev.runyard.testkit.contract.DeliveriesContract;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(StoreRig.Given.class)
class SqliteDeliveriesTest extends DeliveriesContract {
  private final StoreRig rig;

  SqliteDeliveriesTest(StoreRig rig) {
    this.rig = rig;
  }

  @Override
  protected Deliveries deliveries() {
    return rig.store().webhooks().deliveries();
  }
}
