package dev.runyard.embedded;

import dev.runyard.core.webhook.Webhooks;
import dev.runyard.testkit.contract.WebhooksContract;
import org.junit.jupiter.api.extension.ExtendWith;

/// The same promises when the store is closed and opened again before each call.
@ExtendWith(StoreRig.Given.class)
class ReopenedWebhooksTest extends WebhooksContract {
  private final StoreRig rig;

  ReopenedWebhooksTest(StoreRig rig) {
    this.rig = rig;
  }

  @Override
  protected Webhooks webhooks() {
    return rig.reopening(Webhooks.class, store -> store.webhooks().registered());
  }
}
