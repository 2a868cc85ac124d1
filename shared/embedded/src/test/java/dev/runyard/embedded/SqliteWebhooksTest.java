package dev.runyard.embedded;

import dev.runyard.core.webhook.Webhooks;
import dev.runyard.testkit.contract.WebhooksContract;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(StoreRig.Given.class)
class SqliteWebhooksTest extends WebhooksContract {
  private final StoreRig rig;

  SqliteWebhooksTest(StoreRig rig) {
    this.rig = rig;
  }

  @Override
  protected Webhooks webhooks() {
    return rig.store().webhooks().registered();
  }
}
