package dev.runyard.aws;

import dev.runyard.core.fleet.Slots;
import dev.runyard.testkit.contract.SlotsContract;
import java.util.UUID;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Emulators.Given.class)
class DynamoSlotsTest extends SlotsContract {
  private final Slots slots;

  DynamoSlotsTest(Emulators emulators) {
    slots = new DynamoSlots(emulators.dynamo(), TestTables.VIEWS, "fleet-" + UUID.randomUUID());
  }

  @Override
  protected Slots slots() {
    return slots;
  }
}
