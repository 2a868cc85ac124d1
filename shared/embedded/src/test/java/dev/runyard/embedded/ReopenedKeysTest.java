package dev.runyard.embedded;

import dev.runyard.core.access.Keys;
import dev.runyard.testkit.contract.KeysContract;
import org.junit.jupiter.api.extension.ExtendWith;

/// The same promises when the store is closed and opened again before each call.
@ExtendWith(StoreRig.Given.class)
class ReopenedKeysTest extends KeysContract {
  private final StoreRig rig;

  ReopenedKeysTest(StoreRig rig) {
    this.rig = rig;
  }

  @Override
  protected Keys keys() {
    return rig.reopening(Keys.class, EmbeddedStore::accessKeys);
  }
}
