package dev.runyard.testkit.contract;

import dev.runyard.core.memory.MemoryWebhookPorts;
import dev.runyard.core.webhook.Deliveries;

class MemoryDeliveriesTest extends DeliveriesContract {
  private final MemoryWebhookPorts ports = new MemoryWebhookPorts(() -> SampleRuns.START);

  @Override
  protected Deliveries deliveries() {
    return ports.deliveries();
  }
}
