package dev.runyard.aws;

import dev.runyard.core.webhook.Deliveries;
import dev.runyard.testkit.contract.DeliveriesContract;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Emulators.Given.class)
class DynamoDeliveriesTest extends DeliveriesContract {
  private final Emulators emulators;

  DynamoDeliveriesTest(Emulators emulators) {
    this.emulators = emulators;
  }

  @Override
  protected Deliveries deliveries() {
    return new DynamoDeliveries(
        emulators.dynamo(), TestTables.VIEWS, Duration.ofDays(30), InstantSource.system());
  }
}
