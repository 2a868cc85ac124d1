package dev.runyard.aws;

import dev.runyard.core.webhook.Webhooks;
import dev.runyard.testkit.contract.WebhooksContract;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Emulators.Given.class)
class DynamoWebhooksTest extends WebhooksContract {
  private final Emulators emulators;

  DynamoWebhooksTest(Emulators emulators) {
    this.emulators = emulators;
  }

  @Override
  protected Webhooks webhooks() {
    return new DynamoWebhooks(emulators.dynamo(), TestTables.VIEWS);
  }
}
