package dev.runyard.aws;

import dev.runyard.core.access.Keys;
import dev.runyard.testkit.contract.KeysContract;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Emulators.Given.class)
class DynamoKeysTest extends KeysContract {
  private final Emulators emulators;

  DynamoKeysTest(Emulators emulators) {
    this.emulators = emulators;
  }

  @Override
  protected Keys keys() {
    return new DynamoKeys(emulators.dynamo(), TestTables.VIEWS);
  }
}
