package dev.runyard.aws;

import dev.runyard.core.hook.HookStore;
import dev.runyard.testkit.contract.HookStoreContract;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Emulators.Given.class)
class DynamoHookStoreTest extends HookStoreContract {
  private final Emulators emulators;

  DynamoHookStoreTest(Emulators emulators) {
    this.emulators = emulators;
  }

  @Override
  protected HookStore hookStore() {
    return new DynamoHookStore(emulators.dynamo(), TestTables.VIEWS);
  }
}
