package dev.runyard.embedded;

import dev.runyard.core.access.Keys;
import dev.runyard.testkit.contract.KeysContract;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(StoreRig.Given.class)
class SqliteKeysTest extends KeysContract {
  private final StoreRig rig;

  SqliteKeysTest(StoreRig rig) {
    this.rig = rig;
  }

  @Override
  protected Keys keys() {
    return rig.store().accessKeys();
  }
}
