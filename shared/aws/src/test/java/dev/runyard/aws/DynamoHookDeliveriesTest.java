package dev.runyard.aws;

import dev.runyard.core.hook.HookDeliveries;
import dev.runyard.testkit.contract.HookDeliveriesContract;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Emulators.Given.class)
class DynamoHookDeliveriesTest extends HookDeliveriesContract {
  private final Emulators emulators;

  DynamoHookDeliveriesTest(Emulators emulators) {
    this.emulators = emulators;
  }

  @Override
  protected HookDeliveries hookDeliveries() {
    return new DynamoHookDeliveries(emulators.dynamo(), TestTables.VIEWS);
  }
}
