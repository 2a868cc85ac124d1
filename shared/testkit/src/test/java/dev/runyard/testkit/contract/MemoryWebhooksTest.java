package dev.runyard.testkit.contract;

import dev.runyard.core.memory.MemoryWebhookPorts;
import dev.runyard.core.webhook.Webhooks;

class MemoryWebhooksTest extends WebhooksContract {
  private final MemoryWebhookPorts ports = new MemoryWebhookPorts(() -> SampleRuns.START);

  @Override
  protected Webhooks webhooks() {
    return ports.registered();
  }
}
